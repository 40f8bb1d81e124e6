import { expect, test } from '@jest/globals';
import type { Place } from '../../model/outcome.ts';
import { due } from '../cells/fire.ts';
import { absorb } from '../fakes/invariants/checker.ts';
import { createSimulation } from '../fakes/simulation.ts';
import { copyWorld } from '../simulation/canonical/clone.ts';
import { reach } from '../stages/reach.ts';
import { sampleOf } from '../support/sample.ts';
import { lasting } from './permanent-troubles.ts';
import { aPersonsPart, walkOn } from './printed-commands.ts';

/** Each asks for what no command does: a GitLab that is up, a token, a permission. */
const ofTheOutside = new Set([
  'Unavailable',
  'CredentialsRefused',
  'PermissionMissing',
  // An effect that was accepted is not seen.
  'UnexpectedAnswer',
]);

const places: readonly Place[] = [
  'onboarded',
  'healthy',
  'promoting',
  'promoted',
  'draining',
  'draining, idle',
  'drained',
  'destroying',
  'done',
];

test.each(places)(
  'whoever types what is printed while a trouble lasts serves, or is told what a person has to do: %s',
  async (place) => {
    const base = await reach(place);
    const found: string[] = [];
    const played = sampleOf(Object.entries(lasting), ([name]) => `${place} ${name}`);
    for (const [name, { strike, still, isOlder }] of played) {
      // A job that GitLab shows for ever is waited for for ever, as long as no drain.timeout is set.
      if (isOlder === true && place === 'draining') continue;
      const world = copyWorld(base);
      strike?.(world);
      absorb(world);
      await createSimulation({ world }).advance(60_000);
      world.violations = [];
      const before = copyWorld(world);
      const way = await walkOn(world, due[place], {
        ...(still === undefined ? {} : { intercept: still }),
        ...(isOlder === true ? { older: () => before } : {}),
      });
      const isTold = aPersonsPart.has(way.end) || ofTheOutside.has(way.end);
      const isOver = way.end === 'served' || isTold || way.violations.length > 0;
      const troubles = [
        ...way.violations,
        ...way.refused,
        ...(isOver ? [] : [`ends with ${way.end}`]),
      ];
      found.push(...troubles.map((text) => `${way.story.join(' ▶ ')}: ${name}: ${text}`));
    }
    expect(found).toEqual([]);
  },
);
