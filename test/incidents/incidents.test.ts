import { expect, test } from '@jest/globals';
import type { Place } from '../../model/outcome.ts';
import { due } from '../cells/fire.ts';
import { createSimulation } from '../fakes/simulation.ts';
import { copyWorld } from '../simulation/canonical/clone.ts';
import type { Command } from '../stages/drive.ts';
import { reach } from '../stages/reach.ts';
import { sampleOf } from '../support/sample.ts';
import { incidents, strike } from './incidents.ts';
import { aPersonsPart, type Way, walkOn } from './printed-commands.ts';

/**
 * An incident at each place of a deployment, and a person who types what is due, or `deploy`, and then what
 * is printed. `INCIDENTS=all` plays each of them with both; otherwise a sample of every fourth.
 */
const places: readonly Place[] = [
  'onboarded',
  'applied',
  'healthy',
  'promoting',
  'retreating',
  'promoted',
  'draining',
  'draining, idle',
  'drained',
  'destroying',
  'done',
];

/** Who is due, `deploy`, or neither of them in this run. */
function firstsOf(place: Place, index: number): readonly Command[] {
  if (process.env['INCIDENTS'] === 'all') return [due[place], 'deploy'];
  if ((index + places.indexOf(place)) % 4 !== 0) return [];
  return [index % 8 < 4 ? due[place] : 'deploy'];
}

test.each(places)('whoever types what is printed gets on: %s', async (place) => {
  const base = await reach(place);
  const found: string[] = [];
  const played = incidents.flatMap((incident, index) =>
    firstsOf(place, index).map((first) => ({ incident, first })),
  );
  for (const { incident, first } of sampleOf(played, (one) => `${place} ${one.incident}`)) {
    const world = copyWorld(base);
    strike(world, incident);
    await createSimulation({ world }).advance(60_000);
    world.violations = [];
    const way = await walkOn(world, first);
    found.push(...troublesOf(way, incident).map((text) => `${way.story.join(' ▶ ')}: ${text}`));
  }
  expect(found).toEqual([]);
});

function troublesOf({ end, refused, violations }: Way, incident: string): readonly string[] {
  // Who closes a shard by hand has closed it for as long as he likes.
  const isClosed = incident.includes('paused by hand');
  const broken = violations.filter((text) => !(isClosed && text.startsWith('L8')));
  const isOver = end === 'served' || aPersonsPart.has(end) || violations.length > 0;
  return [...broken, ...refused, ...(isOver ? [] : [`ends with ${end}`])].map(
    (text) => `${incident}: ${text}`,
  );
}
