import { expect, test } from '@jest/globals';
import type { Place } from '../../model/outcome.ts';
import { due } from '../cells/fire.ts';
import { absorb } from '../fakes/invariants/checker.ts';
import { createSimulation } from '../fakes/simulation.ts';
import { copyWorld } from '../simulation/canonical/clone.ts';
import { reach } from '../stages/reach.ts';
import { sampleOf } from '../support/sample.ts';
import { lasting } from './permanent-troubles.ts';
import { operatorErrors, walkOn } from './printed-commands.ts';

/** Errors that no command fixes, because GitLab, a token or a permission is missing. */
const ofTheOutside = new Set([
  'Unavailable',
  'CredentialsRefused',
  'PermissionMissing',
  // The effect was accepted but stays invisible.
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
  'the printed commands during a permanent problem verify a shard, or name the manual steps: %s',
  async (place) => {
    const base = await reach(place);
    const found: string[] = [];
    const played = sampleOf(Object.entries(lasting), ([name]) => `${place} ${name}`);
    for (const [name, { strike, still, isOlder }] of played) {
      // Without drain.timeout, a drain waits forever for a job that GitLab lists forever.
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
      const isReported = operatorErrors.has(way.end) || ofTheOutside.has(way.end);
      const isOver = way.end === 'served' || isReported || way.violations.length > 0;
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
