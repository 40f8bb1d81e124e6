import { describe, expect, test } from '@jest/globals';
import { places } from '../../model/outcome.ts';
import { retiredToken } from '../../src/domain/deployment/token-retirement.ts';
import type { StackSettings } from '../../src/domain/settings.ts';
import type { RunnerName } from '../../src/domain/shard.ts';
import { emptyWorld, stackSettings } from '../fakes/builders.ts';
import { atRest } from '../fakes/invariants/at-rest.ts';
import { callText } from '../fakes/seam/trace.ts';
import { createSimulation } from '../fakes/simulation.ts';
import type { World } from '../fakes/world/world.ts';
import { type Command, start } from '../stages/drive.ts';
import { sampleOf } from '../support/sample.ts';
import { openBeginning } from './beginnings/beginnings.ts';
import {
  type Beginning,
  formatScenario,
  type PlannedFault,
  recordKinds,
} from './beginnings/scenario.ts';
import { canonicalText } from './canonical/canonical.ts';
import { createChance } from './chance.ts';
import { allModes } from './faults/fault-modes.ts';
import { type Simulated, simulate } from './simulate.ts';

const pipeline: readonly Command[] = ['prepare', 'provision', 'shutdown', 'cleanup'];

const fresh: Beginning = { place: 'none', active: 'pink', record: 'fresh' };

/** What stands at the rest: shards, registrations, hosts and status, without ids and moments. */
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
  // In doubt the name of a removed shard's token is deleted; else it stands for nothing. Sorted by
  // the names that they have then.
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

describe('whatever strikes on the way', () => {
  const all = Array.from({ length: 40 }, (_, index) => index + 1);
  const seeds = sampleOf(all, String);

  test('a deployment ends in the same world as without it', async () => {
    const expected = standing((await simulate({ ...fresh, faults: [] })).after);
    const other: string[] = [];
    for (const seed of seeds) {
      const chance = createChance(seed);
      const faults: PlannedFault[] = [0, 1, 2, 3, 4, 5].map((run) => ({
        run,
        call: chance.below(100),
        mode: chance.pick(allModes),
      }));
      const { after, verdict } = await simulate({ ...fresh, faults });
      if (verdict.length > 0 || standing(after) !== expected)
        other.push(`${formatScenario({ ...fresh, faults })}: ${verdict.join('; ')}`);
    }
    expect(other).toEqual([]);
  });
});

const everywhere = places.flatMap((place) => recordKinds.map((record) => ({ place, record })));

test.each(sampleOf(everywhere, ({ place, record }) => `${place} ${record}`))(
  'pink to purple is purple to pink with the names exchanged, from $place, $record',
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

/** What was asked and done when, and by which run; not of which shard first: one of them is asked to try a right. */
function callsOf({ trace }: Simulated, rename = (text: string) => text): string[] {
  const calls = trace.map((entry) => `${entry.at} ${entry.incarnation} ${rename(callText(entry))}`);
  return [...new Set(calls)].sort();
}

test('a hundred stacks side by side in one process end as a hundred runs by themselves', async () => {
  const names = Array.from({ length: 100 }, (_, index) => `linux-${index}` as RunnerName);
  const stacks = names.map((runnerName) => stackSettings({ runnerName }));
  const world = emptyWorld({ stacks });
  const simulation = createSimulation({ world });
  for (const command of pipeline) {
    const begun = stacks.map((stack) =>
      start(simulation, command, {
        stack,
        deploymentId: '1-200',
        jobId: `${command} ${stack.runnerName}`,
      }),
    );
    const outcome = await simulation.run(Promise.all(begun.map(({ promise }) => promise)));
    expect(outcome.kind).toBe('returned');
    for (const { incarnation } of begun) incarnation.end();
  }
  expect([...world.violations, ...atRest(world)]).toEqual([]);
  const alone = stacks.map((stack) => aloneIn(world, stack));
  const [first] = alone;
  expect(alone.filter((text) => text !== first)).toEqual([]);
  const single = await deployAlone();
  expect(first).toBe(aloneIn(single, single.stacks[0] as StackSettings));
});

async function deployAlone(): Promise<World> {
  const world = emptyWorld({ stacks: [stackSettings({ runnerName: 'linux-0' as RunnerName })] });
  for (const command of pipeline) {
    const simulation = createSimulation({ world });
    const { promise, incarnation } = start(simulation, command, {
      deploymentId: '1-200',
      jobId: `${command} linux-0`,
    });
    await simulation.run(promise, incarnation);
  }
  return world;
}

/** What one stack of many has, without its name. */
function aloneIn(world: World, stack: StackSettings): string {
  const name = stack.runnerName;
  const own = (text: string) => new RegExp(`${name}(?!\\d)`).test(text);
  const hosts = Object.values(world.hosts).filter(
    ({ runnerName, state }) => runnerName === name && state === 'running',
  );
  const registrations = Object.values(world.registrations).filter(({ description }) =>
    description.endsWith(`-${name}`),
  );
  const shown = {
    parameters: Object.keys(world.parameters).filter(own).sort(),
    infrastructure: Object.values(world.infrastructure)
      .filter(({ runnerName }) => runnerName === name)
      .map(({ shard, resources }) => [shard, resources.length]),
    registrations: registrations.map(({ description, paused, tags }) => [
      description,
      paused,
      tags,
    ]),
    hosts: hosts.map((host) => [host.name, host.process]),
  };
  return JSON.stringify(shown).replaceAll(new RegExp(`${name}(?!\\d)`, 'g'), 'NAME');
}

test('a world is told from another one by what matters, and by nothing else', async () => {
  const one = await simulate({ ...fresh, faults: [] }, { seed: 1 });
  const two = await simulate({ ...fresh, faults: [] }, { seed: 2 });
  expect(two.worldHash).not.toBe(one.worldHash);
  expect(canonicalText(two.after)).toBe(canonicalText(one.after));
});
