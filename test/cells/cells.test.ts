import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type CellEvent, cells } from '../../model/cells.ts';
import { type Outcome, type Place, places } from '../../model/outcome.ts';
import type { StackSettings } from '../../src/domain/settings.ts';
import { pink, purple } from '../fakes/builders.ts';
import { listRunEffects } from '../fakes/world/happened.ts';
import { parametersOf, parameterValue } from '../fakes/world/shards.ts';
import type { World } from '../fakes/world/world.ts';
import type { Ending } from '../stages/drive.ts';
import { ownId, reach } from '../stages/reach.ts';
import { sampleOf } from '../support/sample.ts';
import { finishDeployment, fixStack, follow } from './finish-deployment.ts';
import { fire } from './fire.ts';

const events = Object.keys(cells) as CellEvent[];
const worlds = new Map<Place, World>();
let proven = 0;

beforeAll(async () => {
  for (const place of places) worlds.set(place, await reach(place));
});

afterAll(() => {
  process.stdout.write(`${proven} of ${events.length * places.length} cells\n`);
});

describe.each(events)('%s', (event) => {
  test.each(sampleOf(places, (place) => `${event} ${place}`))(
    'leads to one outcome and a next command at %s',
    async (place) => {
      const world = structuredClone(worlds.get(place) as World);
      const status = statusOf(world);
      const past = world.history.length;
      const outcome = cells[event][place];

      const ending = await fire(world, place, event);

      expect(outcomeOf(ending)).toEqual(expected(outcome));
      expect(world.violations).toEqual([]);
      if (!changes(outcome)) expect(effectsSince(world, past, event)).toEqual([]);
      for (const command of printedActivations(ending)) {
        expect(await follow(structuredClone(world), command)).toEqual([]);
      }
      fixStack(world, outcome.ends === 'FactsContradict' ? status : undefined);
      expect(await finishDeployment(world)).toEqual([]);
      proven += 1;
    },
  );
});

function outcomeOf(ending: Ending) {
  if (ending.kind === 'killed') return { ends: 'killed', phase: ending.phase };
  const { phase } = ending;
  if (ending.kind !== 'error') {
    // The cost for customers follows in the text. Other tests cover it.
    const [reason] = ending.text.split(/; (?=an? |\d+ jobs? finished)/);
    return { ends: ending.kind, exitCode: 0, phase, text: reason };
  }
  const { code, exitCode, fields } = ending.error;
  const [why = ''] = fields.why ?? [];
  const reason = `${why.charAt(0).toLowerCase()}${why.slice(1)}`.replace(/\.$/, '');
  return { ends: code, exitCode, phase, text: reason };
}

function expected({ ends, exitCode, phase, text: reason }: Outcome) {
  const text = reason
    .replaceAll('{id}', ownId)
    .replaceAll('{phase}', phase)
    .replaceAll('{runner}', 'linux')
    .replaceAll('{candidate}', purple)
    .replaceAll('{retiring}', pink);
  const pattern = text
    .split('…')
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('.*');
  return { ends, exitCode, phase, text: expect.stringMatching(new RegExp(`^${pattern}$`)) };
}

/**
 * Decides whether an outcome may change the world. A run that does nothing or is refused may not.
 */
function changes({ ends }: Outcome): boolean {
  return ['done', 'Cancelled'].includes(ends);
}

function effectsSince(world: World, past: number, event: CellEvent): string[] {
  if (event === 'crash') return [];
  const { lock, hold, status } = parametersOf(world.stacks[0] as StackSettings);
  const effects = listRunEffects(world, past).filter((entry) => {
    return !('name' in entry && [lock, hold, status].includes(entry.name));
  });
  return effects.map((entry) => JSON.stringify(entry));
}

function printedActivations(ending: Ending): string[] {
  if (ending.kind !== 'error') return [];
  return (ending.error.fields.fix ?? []).filter((line) => line.includes('hosted-runner activate'));
}

function statusOf(world: World): string | undefined {
  return parameterValue(world, parametersOf(world.stacks[0] as StackSettings).status);
}
