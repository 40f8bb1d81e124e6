import { expect, test } from '@jest/globals';
import type { Place } from '../../model/outcome.ts';
import { due } from '../cells/fire.ts';
import { createSimulation } from '../fakes/simulation.ts';
import { copyWorld } from '../simulation/canonical/clone.ts';
import type { Command } from '../stages/drive.ts';
import { reach } from '../stages/reach.ts';
import { sampleOf } from '../support/sample.ts';
import { incidents, strike } from './incidents.ts';
import { operatorErrors, type Way, walkOn } from './printed-commands.ts';

/**
 * Places for each incident. An operator then types the due command or `deploy`, and afterwards the
 * printed commands. `INCIDENTS=all` plays both for each; otherwise a sample of every fourth.
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

/** Lists the first commands of this run: the due command, `deploy`, or none. */
function firstsOf(place: Place, index: number): readonly Command[] {
  if (process.env['INCIDENTS'] === 'all') return [due[place], 'deploy'];
  if ((index + places.indexOf(place)) % 4 !== 0) return [];
  return [index % 8 < 4 ? due[place] : 'deploy'];
}

test.each(places)('the printed commands resolve every incident: %s', async (place) => {
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
  // A pause by an operator may last for any time.
  const isClosed = incident.includes('paused by hand');
  const broken = violations.filter((text) => !(isClosed && text.startsWith('L8')));
  const isOver = end === 'served' || operatorErrors.has(end) || violations.length > 0;
  return [...broken, ...refused, ...(isOver ? [] : [`ends with ${end}`])].map(
    (text) => `${incident}: ${text}`,
  );
}
