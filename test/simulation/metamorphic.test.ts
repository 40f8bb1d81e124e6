import { expect, test } from '@jest/globals';
import { places } from '../../model/outcome.ts';
import { retiredToken } from '../../src/domain/deployment/token-retirement.ts';
import type { StackSettings } from '../../src/domain/settings.ts';
import { callText } from '../fakes/faults/trace.ts';
import type { World } from '../fakes/world/world.ts';
import { sampleOf } from '../support/sample.ts';
import { openBeginning } from './beginnings/beginnings.ts';
import { type Beginning, recordKinds } from './beginnings/scenario.ts';
import { canonicalText } from './canonical/canonical.ts';
import { type Simulated, simulate } from './simulate.ts';

const fresh: Beginning = { place: 'none', active: 'pink', record: 'fresh' };

/** Returns the final shards, registrations, hosts and status, without ids and times. */
function standing(world: World, rename = (text: string) => text): string {
  const stack = world.stacks[0] as StackSettings;
  const base = stack.parameterPrefix;
  const status = world.parameters[`${base}deployment_status`]?.versions.at(-1)?.value;
  const hosts = Object.values(world.hosts).filter(({ state }) => state === 'running');
  const shown = {
    status,
    infrastructure: Object.values(world.infrastructure).map((one) => [
      one.shard,
      one.resources.length,
    ]),
    registrations: Object.values(world.registrations).map((one) => [
      one.description,
      one.paused,
      one.tags,
    ]),
    hosts: hosts.map((one) => [one.name, one.process, one.jobs.length]),
  };
  // A removed shard's token is either absent or has the text for a removed one, which count as
  // equal. Names are sorted after the exchange.
  const parameters = Object.entries(world.parameters)
    .filter(([, { versions }]) => versions.at(-1)?.value !== retiredToken)
    .map(([name]) => rename(name))
    .sort();
  return [rename(JSON.stringify(shown)), ...parameters].join('\n');
}

function swapped(text: string): string {
  const names: Readonly<Record<string, string>> = { pink: 'purple', purple: 'pink' };
  return text.replace(/pink|purple/g, (name) => names[name] ?? name);
}

const everywhere = places.flatMap((place) => recordKinds.map((record) => ({ place, record })));

test.each(sampleOf(everywhere, ({ place, record }) => `${place} ${record}`))(
  'a deployment of pink equals one of purple with the names exchanged, from $place, $record',
  async (beginning) => {
    const [one, two] = [
      await undisturbed(beginning, 'pink'),
      await undisturbed(beginning, 'purple'),
    ];
    expect(standing(one.after, swapped)).toBe(standing(two.after));
    expect(one.runs.map(({ ended }) => ended)).toEqual(two.runs.map(({ ended }) => ended));
    expect(callsOf(one, swapped)).toEqual(callsOf(two));
  },
);

function undisturbed(at: Omit<Beginning, 'active'>, active: 'pink' | 'purple'): Promise<Simulated> {
  const beginning = { ...at, active };
  return openBeginning(beginning, { gitlab: '19.3' }).then((world) =>
    simulate({ ...beginning, faults: [] }, { world }),
  );
}

/**
 * Lists distinct calls with their time and run, sorted. The order of the shards does not count,
 * because one of them is queried to try out a permission.
 */
function callsOf({ trace }: Simulated, rename = (text: string) => text): string[] {
  const calls = trace.map((entry) => `${entry.at} ${entry.incarnation} ${rename(callText(entry))}`);
  return [...new Set(calls)].sort();
}

test('worlds differ by relevant facts, and by nothing else', async () => {
  const one = await simulate({ ...fresh, faults: [] }, { seed: 1 });
  const two = await simulate({ ...fresh, faults: [] }, { seed: 2 });
  expect(two.worldHash).not.toBe(one.worldHash);
  expect(canonicalText(two.after)).toBe(canonicalText(one.after));
});
