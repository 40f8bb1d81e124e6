import { describe, expect, test } from '@jest/globals';
import type { RegistrationId } from '../../../src/domain/shard.ts';
import { linux, pink, purple, worldWithActive } from '../builders.ts';
import { createSimulation } from '../simulation.ts';
import type { Fault } from './fault-wrapper.ts';
import { formatTrace } from './trace.ts';

const id = '48213' as RegistrationId;
const note = '/gitlab/dedicated/runner/linux/note';

/** Opens a simulation whose n-th call (from 0) meets a fault. */
function open(fault?: Fault, at = 0) {
  const world = worldWithActive(pink);
  const startedAt = world.now;
  const simulation = createSimulation({
    world,
    intercept: (call) => (call.index === at ? fault : undefined),
  });
  const incarnation = simulation.incarnation({ deploymentId: '1-100', jobId: '7001' });
  return { world, startedAt, simulation, incarnation, ports: incarnation.ports };
}

const create = { name: note, value: 'one' };

describe('the fault wrapper', () => {
  test('crashes before a call: no effect, no response, no later call', async () => {
    const { world, simulation, incarnation, ports } = open({ kind: 'crash_before' });
    const outcome = await simulation.run(ports.parameters.create(create), incarnation);
    expect(outcome).toEqual({ kind: 'stopped' });
    expect(world.parameters[note]).toBeUndefined();
    expect(await simulation.run(ports.registry.retire(id), incarnation)).toEqual({
      kind: 'stopped',
    });
    expect(world.registrations[id]).toBeDefined();
    expect(world.pipelines['1-100']).toMatchObject({ jobs: { 7001: 'finished' } });
  });

  test('crashes after a call: the effect stays, without a response', async () => {
    const { world, simulation, incarnation, ports } = open({ kind: 'crash_after' });
    let finalized = false;
    const stage = async () => {
      try {
        await ports.parameters.create(create);
      } finally {
        finalized = true;
      }
    };
    expect(await simulation.run(stage(), incarnation)).toEqual({ kind: 'stopped' });
    expect(finalized).toBe(false);
    expect(world.parameters[note]?.versions).toHaveLength(1);
  });

  test('lets a new incarnation continue in the world that the crashed one left', async () => {
    const { simulation, incarnation, ports } = open({ kind: 'crash_after' });
    await simulation.run(ports.parameters.create(create), incarnation);
    const next = simulation.incarnation({ deploymentId: '1-100' });
    expect(await next.ports.parameters.create(create)).toEqual({ kind: 'taken' });
    expect(next.ports.processes.isAlive(incarnation.name)).toBe('unknown');
    const holder = { deploymentId: '1-100', jobId: '7001' };
    expect(await next.ports.pipelines.readLockHolder(holder)).toEqual({
      kind: 'over',
      reason: 'no job of its pipeline runs',
    });
  });

  test('fails without an effect', async () => {
    const { world, ports } = open({ kind: 'error_before', failure: 'throttled', status: 429 });
    await expect(ports.parameters.create(create)).rejects.toMatchObject({
      kind: 'throttled',
      effect: 'none',
      status: 429,
    });
    expect(world.parameters[note]).toBeUndefined();
  });

  test('loses a response: the effect exists, and the error does not know it', async () => {
    const { world, ports } = open({ kind: 'lost_answer' });
    await expect(ports.parameters.create(create)).rejects.toMatchObject({
      kind: 'unreachable',
      effect: 'unknown',
    });
    expect(world.parameters[note]?.versions).toHaveLength(1);
  });

  test('delays an effect', async () => {
    const { world, simulation, ports } = open({ kind: 'late_effect', afterMs: 5000 });
    await expect(ports.parameters.create(create)).rejects.toMatchObject({ effect: 'unknown' });
    await simulation.advance(4999);
    expect(world.parameters[note]).toBeUndefined();
    await simulation.advance(1);
    expect(world.parameters[note]?.versions).toHaveLength(1);
  });

  test('delays a call in virtual time', async () => {
    const { world, startedAt, simulation, ports } = open({ kind: 'delay', beforeMs: 3_600_000 });
    await simulation.run(ports.parameters.create(create));
    expect(world.parameters[note]?.versions[0]?.modifiedAt).toBe(startedAt + 3_600_000);
  });

  test('returns the earlier state for a stale read if that state is recent', async () => {
    const { world, simulation, ports } = open({ kind: 'stale' }, 2);
    await ports.parameters.create(create);
    await ports.parameters.overwrite({ name: note, value: 'two' });
    expect(await ports.parameters.find(note)).toMatchObject({ value: 'one', version: 1 });
    expect(await ports.parameters.find(note)).toMatchObject({ value: 'two', version: 2 });
    world.behaviour.staleReads = 1;
    await simulation.advance(60_000);
    expect(await ports.parameters.find(note)).toMatchObject({ value: 'two', version: 2 });
  });

  test('leaves a part after a crash during an apply, and a second apply completes it', async () => {
    const { world, simulation, incarnation, ports } = open({ kind: 'crash_after' }, 2);
    const shard = { runnerName: linux, shard: purple };
    const apply = async (of: typeof ports) => {
      const plan = await of.infrastructure.plan(shard);
      for await (const event of of.infrastructure.apply(shard, plan)) {
        if (event.kind === 'done') return event.counts;
      }
      return undefined;
    };
    expect(await simulation.run(apply(ports), incarnation)).toEqual({ kind: 'stopped' });
    expect(world.infrastructure['purple-linux']?.resources).toHaveLength(9);
    const next = simulation.incarnation({ deploymentId: '1-100' });
    expect(await simulation.run(apply(next.ports), next)).toMatchObject({
      value: { added: 4, changed: 0, destroyed: 0 },
    });
    expect(Object.values(world.hosts).filter((host) => host.shard === purple)).toHaveLength(1);
  });

  test('lists the effects in its trace without secrets', async () => {
    const { startedAt, simulation, incarnation, ports } = open();
    const stage = async () => {
      await ports.clock.sleep(80_000);
      await ports.registry.find(id);
      await ports.registry.route(id, { tags: ['linux'], runUntagged: false });
      await ports.registry.resetToken(id);
    };
    await simulation.run(stage(), incarnation);
    expect(formatTrace(simulation.trace, startedAt)).toEqual([
      '+01:20 registry.route 48213 tags=["linux"] runUntagged=false -> ok',
      '+01:20 registry.resetToken 48213 -> {"token":"glrt-…"}',
    ]);
  });

  test('creates the same world from the same seed', async () => {
    const run = async () => {
      const { world, simulation, ports } = open();
      await ports.parameters.create({ name: note, value: ports.random.id() });
      await simulation.advance(60_000);
      return JSON.stringify(world);
    };
    expect(await run()).toBe(await run());
  });

  test('reports a loop without elapsed time as an error', async () => {
    const { simulation, incarnation, ports } = open();
    const loop = async () => {
      for (;;) await ports.registry.find(id);
    };
    expect(await simulation.run(loop(), incarnation)).toEqual({
      kind: 'threw',
      error: new Error('no time passes between the calls'),
    });
  });
});
