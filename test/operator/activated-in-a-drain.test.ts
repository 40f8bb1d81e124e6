import { describe, expect, test } from '@jest/globals';
import { endPipelines } from '../broken-stacks/state.ts';
import { pink, purple } from '../fakes/builders.ts';
import type { Call } from '../fakes/faults/fault-wrapper.ts';
import { cutOff } from '../fakes/hosts/host-trouble.ts';
import { terminateHost } from '../fakes/hosts/hosts.ts';
import { absorb } from '../fakes/invariants/checker.ts';
import { createSimulation } from '../fakes/simulation.ts';
import { hostsOf, registrationsOf } from '../fakes/world/shards.ts';
import type { World } from '../fakes/world/world.ts';
import { isCall, killAt, reach } from '../stages/reach.ts';
import { stackOf, type } from './doctor/examine.ts';

const typed = (world: World, line: string, surroundings = {}) =>
  type(world, `hosted-runner ${line.replace(/^\S+/, '$& --runner linux')}`, surroundings);

const isClosed = (world: World) =>
  registrationsOf(world, stackOf(world), pink).map(({ paused }) => paused);

async function inADrain(): Promise<World> {
  const world = await reach('draining');
  endPipelines(world);
  expect(isClosed(world)).toEqual([true]);
  return world;
}

async function struck(world: World, how: 'dies' | 'hangs'): Promise<void> {
  for (const host of hostsOf(world, stackOf(world), purple))
    how === 'dies' ? terminateHost(world, host, 'world') : cutOff(world, host, 'hangs');
  absorb(world);
  await createSimulation({ world }).advance(400_000);
}

describe('a shard that a drain paused, after an activation', () => {
  test('gets reopened if the activated shard dies', async () => {
    const world = await inADrain();
    expect(await typed(world, 'activate --shard purple')).toMatchObject({ kind: 'done' });
    expect(isClosed(world)).toEqual([true]);
    await struck(world, 'dies');
    const ending = await typed(world, 'finalize');
    expect(ending).toMatchObject({ kind: 'error', error: { code: 'ServiceLost' } });
    expect(isClosed(world)).toEqual([false]);
    expect(world.violations).toEqual([]);
  });

  test.each(['dies', 'hangs'] as const)(
    'gets reopened if the activated shard cannot be verified because its machine %s',
    async (how) => {
      const world = await inADrain();
      await struck(world, how);
      const ending = await typed(world, 'activate --shard purple');
      expect(ending).toMatchObject({ kind: 'error' });
      // If the machine has ended, `activate` is refused before the lock. The next run reopens the
      // shard.
      if (how === 'dies') await typed(world, 'finalize');
      expect(isClosed(world)).toEqual([false]);
      expect(world.violations).toEqual([]);
    },
  );

  const isRecord = isCall('parameters', 'overwrite');
  test('gets reopened by the next run if the activation was killed after its record', async () => {
    const world = await inADrain();
    const begins = (call: Call) =>
      isRecord(call) && JSON.stringify(call.args).includes('\\"activate\\"');
    await typed(world, 'activate --shard purple', { intercept: killAt(begins) });
    await struck(world, 'hangs');
    await typed(world, 'finalize');
    expect(isClosed(world)).toEqual([false]);
    expect(world.violations).toEqual([]);
  });

  test.each(['online', 'lost'] as const)('causes no offer of its removal (%s)', async (agent) => {
    const world = await inADrain();
    for (const host of hostsOf(world, stackOf(world), pink)) host.agent = agent;
    await struck(world, 'hangs');
    const ending = await typed(world, 'activate --shard purple');
    const fix = ending.kind === 'error' ? (ending.error.fields.fix ?? []) : [];
    expect(fix.join('\n')).not.toContain('--although-nothing-serves');
  });
});
