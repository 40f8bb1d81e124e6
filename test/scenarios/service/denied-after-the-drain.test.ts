import { describe, expect, test } from '@jest/globals';
import { endPipelines } from '../../broken-stacks/state.ts';
import { pink, purple } from '../../fakes/builders.ts';
import type { Call, Fault } from '../../fakes/faults/fault-wrapper.ts';
import { cutOff } from '../../fakes/hosts/host-trouble.ts';
import { terminateHost } from '../../fakes/hosts/hosts.ts';
import { absorb } from '../../fakes/invariants/checker.ts';
import { createSimulation } from '../../fakes/simulation.ts';
import { hostsOf, registrationsOf } from '../../fakes/world/shards.ts';
import type { World } from '../../fakes/world/world.ts';
import { stackOf, type } from '../../operator/doctor/examine.ts';
import { reach } from '../../stages/reach.ts';

const hour = 3_600_000;
const finalize = 'hosted-runner finalize --runner linux';
const denied = {
  intercept: ({ port }: Call): Fault | undefined =>
    port === 'host' ? { kind: 'error_before', failure: 'denied' } : undefined,
};
const isClosed = (world: World) =>
  registrationsOf(world, stackOf(world), pink).map(({ paused }) => paused);

/** Runs a shutdown without access to hosts, which never stops pink. */
async function drainedUnasked(): Promise<World> {
  const world = await reach('promoted');
  endPipelines(world);
  const ending = await type(world, 'hosted-runner shutdown --runner linux', denied);
  expect(ending).toMatchObject({ kind: 'error', error: { code: 'PermissionMissing' } });
  return world;
}

describe('hosts that may not be queried after the drain', () => {
  test.each(['dies', 'hangs', 'loses its token'])(
    'lead to a reopening of the old shard, which was never stopped, if the new shard %s',
    async (how) => {
      const world = await drainedUnasked();
      for (const host of hostsOf(world, stackOf(world), purple)) {
        if (how === 'dies') terminateHost(world, host, 'world');
        if (how === 'hangs') cutOff(world, host, 'hangs');
      }
      if (how === 'loses its token')
        for (const one of registrationsOf(world, stackOf(world), purple)) one.token = 'dead';
      absorb(world);
      await createSimulation({ world }).advance(hour);
      await type(world, finalize, denied);
      expect(isClosed(world)).toEqual([false]);
      expect(world.violations).toEqual([]);
    },
  );

  const rollback = 'hosted-runner rollback --runner linux --reason slow';

  test('allow a rollback to a shard that was never stopped', async () => {
    const world = await drainedUnasked();
    await type(world, rollback, denied);
    expect(isClosed(world)).toEqual([false]);
    expect(world.violations).toEqual([]);
  });

  test('allow no rollback once the stop has started, because its process is unknown', async () => {
    const world = await reach('drained');
    endPipelines(world);
    await type(world, 'hosted-runner shutdown --runner linux');
    const ending = await type(world, rollback, denied);
    expect(ending).toMatchObject({ kind: 'error', error: { code: 'NothingToRollBack' } });
    expect(isClosed(world)).toEqual([true]);
  });
});
