import { describe, expect, test } from '@jest/globals';
import { deploymentOf } from '../../fakes/deployment-of.ts';
import { absorb } from '../../fakes/invariants/checker.ts';
import { putParameter } from '../../fakes/ports/parameters-fake.ts';
import { addPipeline } from '../../fakes/ports/pipelines-fake.ts';
import { activeShard, parametersOf, parameterValue } from '../../fakes/world/shards.ts';
import type { World } from '../../fakes/world/world.ts';
import { end, hour, isOpen, minute } from '../service/promoted.ts';
import { bad, breakJobs, openDrained, pink, purple, stackOf } from './baked.ts';

const recordOf = (world: World) =>
  deploymentOf(parameterValue(world, parametersOf(stackOf(world)).record));

const isWriteOf = ([write]: readonly unknown[], what: string) => {
  const { name, value } = (write ?? {}) as { name?: string; value?: string };
  return value !== undefined && name?.endsWith(what) === true;
};

describe('the bake of a promoted shard', () => {
  test('delays no rollback of an operator and ends with it', async () => {
    const { scene, world } = await openDrained();
    let typed: Promise<unknown> | undefined;
    scene.simulation.at(5 * minute, () => {
      typed = scene.type('rollback', { deploymentId: '1-250' });
    });
    const ending = await scene.type('bake');
    await typed;
    expect(ending).toMatchObject({
      kind: 'error',
      error: {
        code: 'TakenBack',
        exitCode: 1,
        fields: {
          why: [expect.anything(), expect.stringContaining('Another run holds the lock of linux.')],
        },
      },
    });
    expect(recordOf(world)).toMatchObject({ kind: 'rollback', phase: 'promoted' });
    expect(activeShard(world, stackOf(world))).toBe(pink);
    expect(world.violations).toEqual([]);
  });

  test('suspends its verdict during a hold, even past its end', async () => {
    const { scene, world } = await openDrained({ bake: { atMostMs: 2 * hour } });
    scene.simulation.at(minute, () => {
      void scene.type('hold', { deploymentId: '1-250' });
    });
    scene.simulation.at(5 * minute, () => breakJobs(world, purple, bad));
    scene.simulation.at(6 * hour, () => {
      void scene.type('release', { deploymentId: '1-250' });
    });
    const before = world.now;
    const traceStart = scene.simulation.trace.length;
    const ending = await scene.type('bake');
    expect(ending).toMatchObject({ kind: 'error', error: { code: 'TakenBack' } });
    expect(world.now - before).toBeGreaterThan(5 * hour);
    // The lock is useless under a hold, so the run releases it for others.
    const locks = scene.simulation.trace
      .slice(traceStart)
      .filter(({ port, args }) => port === 'parameters' && isWriteOf(args, 'lock'));
    expect(locks.length).toBeLessThan(10);
    expect(world.violations).toEqual([]);
  });

  test('does not start under a hold', async () => {
    const { scene } = await openDrained();
    await scene.type('hold', { deploymentId: '1-250' });
    expect(await scene.type('bake')).toMatchObject({
      kind: 'error',
      phase: 'drained',
      error: { code: 'Held', exitCode: 3 },
    });
  });

  test('takes no action after a manual edit of the status', async () => {
    const { scene, world } = await openDrained();
    scene.simulation.at(5 * minute, () => {
      const value = JSON.stringify({ active_shard: pink, inactive_shard: purple });
      putParameter(world, { name: parametersOf(stackOf(world)).status, value });
      absorb(world);
    });
    const ending = await scene.type('bake');
    expect(ending).toMatchObject({
      kind: 'error',
      phase: 'drained',
      error: { code: 'FactsContradict' },
    });
  });

  test('makes a new pipeline retry later', async () => {
    const { scene, world } = await openDrained();
    addPipeline(world, { deploymentId: '1-300', createdAt: world.now });
    const pipeline = world.pipelines['1-200'];
    if (pipeline !== undefined) pipeline.state = 'finished';
    const ending = await scene.type('prepare', { deploymentId: '1-300' });
    expect(ending).toMatchObject({
      kind: 'error',
      error: { code: 'DeploymentBusy', exitCode: 75 },
    });
  });

  test('ends with exit code 75 if its job ends first, and the next job continues', async () => {
    const { scene, world } = await openDrained();
    const early = await scene.type('bake', { deadline: world.now + 10 * minute });
    expect(early).toMatchObject({ kind: 'error', error: { code: 'StillBaking', exitCode: 75 } });
    expect(await scene.type('bake')).toMatchObject({ kind: 'done', phase: 'baked' });
  });

  test('keeps cleanup from removing the old shard', async () => {
    const { scene } = await openDrained();
    expect(await scene.type('cleanup')).toMatchObject({
      kind: 'error',
      error: { code: 'StageOutOfOrder' },
    });
  });

  test('admits an operator at a terminal, whichever command runs it', async () => {
    const { scene, world } = await openDrained();
    let held = 0;
    scene.simulation.at(5 * minute, () => {
      void scene.type('hold', { deploymentId: '1-250' }).then(() => {
        held = world.now;
      });
    });
    scene.simulation.at(50 * minute, () => {
      void scene.type('release', { deploymentId: '1-250' });
    });
    const ending = await scene.type('finalize');
    expect(held).toBeGreaterThan(0);
    expect(ending).toMatchObject({ kind: 'done', phase: 'done' });
  });
});

describe('a bake with too little evidence', () => {
  test('continues at its end as configured', async () => {
    const { scene } = await openDrained({ bake: { jobs: 20, atMostMs: hour } });
    expect(await scene.type('bake')).toMatchObject({ kind: 'done', phase: 'baked' });
  });

  test('waits for an operator if configured, and names both commands', async () => {
    const { scene } = await openDrained({
      bake: { jobs: 20, atMostMs: hour, onInconclusive: 'hold' },
    });
    const ending = await scene.type('bake');
    expect(ending).toMatchObject({
      kind: 'error',
      phase: 'drained',
      error: { code: 'BakeHeld', exitCode: 3 },
    });
    expect(await scene.type('finalize')).toMatchObject({ kind: 'error', error: { code: 'Held' } });
    await scene.type('release');
    expect(await scene.type('rollback', { deploymentId: '1-250' })).toMatchObject({ kind: 'done' });
  });
});

describe('a shard that dies while the bake waits', () => {
  test('makes the bake reopen and activate the old shard at once if the new shard dies', async () => {
    const { scene, world } = await openDrained();
    const diesAt = world.now + 5 * minute;
    let openedAt = 0;
    scene.simulation.at(5 * minute, () => end(world, purple));
    for (let s = 0; s < 40 * 60; s += 5)
      scene.simulation.at(5 * minute + s * 1000, () => {
        if (openedAt === 0 && isOpen(world, pink) === true) openedAt = world.now;
      });
    const ending = await scene.type('bake');
    expect(ending).toMatchObject({ kind: 'error', error: { code: 'TakenBack' } });
    expect(activeShard(world, stackOf(world))).toBe(pink);
    expect(openedAt - diesAt).toBeLessThanOrEqual(3 * minute);
  });

  test('makes a rollback impossible if the old shard dies, which is logged, and the bake continues', async () => {
    const { scene, world } = await openDrained({ bake: { atMostMs: 2 * hour } });
    scene.simulation.at(5 * minute, () => end(world, pink));
    scene.simulation.at(10 * minute, () => breakJobs(world, purple, bad));
    const ending = await scene.type('bake');
    expect(ending).toMatchObject({ kind: 'done', phase: 'baked' });
    expect(
      ending.log.filter((line) => line.includes('No rollback to pink is possible')),
    ).toHaveLength(1);
    expect(activeShard(world, stackOf(world))).toBe(purple);
  });
});
