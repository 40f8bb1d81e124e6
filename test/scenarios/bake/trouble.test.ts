import { describe, expect, test } from '@jest/globals';
import { deploymentOf } from '../../fakes/deployment-of.ts';
import { absorb } from '../../fakes/invariants/checker.ts';
import { putParameter } from '../../fakes/ports/parameters-fake.ts';
import { addPipeline } from '../../fakes/ports/pipelines-fake.ts';
import { activeShard, parametersOf, parameterValue } from '../../fakes/world/serving.ts';
import type { World } from '../../fakes/world/world.ts';
import { end, hour, isOpen, minute } from '../service/promoted.ts';
import { bad, breakJobs, openDrained, pink, purple, stackOf } from './baked.ts';

const recordOf = (world: World) =>
  deploymentOf(parameterValue(world, parametersOf(stackOf(world)).record));

const isWriteOf = ([write]: readonly unknown[], what: string) => {
  const { name, value } = (write ?? {}) as { name?: string; value?: string };
  return value !== undefined && name?.endsWith(what) === true;
};

describe('while a promoted shard is watched', () => {
  test('a person’s rollback waits for nobody, and the watch ends with it', async () => {
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
        fields: { why: [expect.anything(), expect.stringContaining('Another stage is at linux.')] },
      },
    });
    expect(recordOf(world)).toMatchObject({ kind: 'rollback', phase: 'promoted' });
    expect(activeShard(world, stackOf(world))).toBe(pink);
    expect(world.violations).toEqual([]);
  });

  test('a hold suspends the verdict, also beyond its end', async () => {
    const { scene, world } = await openDrained({ bake: { atMostMs: 2 * hour } });
    scene.simulation.at(minute, () => {
      void scene.type('hold', { deploymentId: '1-250' });
    });
    scene.simulation.at(5 * minute, () => breakJobs(world, purple, bad));
    scene.simulation.at(6 * hour, () => {
      void scene.type('release', { deploymentId: '1-250' });
    });
    const before = world.now;
    const told = scene.simulation.trace.length;
    const ending = await scene.type('bake');
    expect(ending).toMatchObject({ kind: 'error', error: { code: 'TakenBack' } });
    expect(world.now - before).toBeGreaterThan(5 * hour);
    // Under a hold the lock is of no use, and others are let have it.
    const locks = scene.simulation.trace
      .slice(told)
      .filter(({ port, args }) => port === 'parameters' && isWriteOf(args, 'lock'));
    expect(locks.length).toBeLessThan(10);
    expect(world.violations).toEqual([]);
  });

  test('a hold that is there before lets no watch begin', async () => {
    const { scene } = await openDrained();
    await scene.type('hold', { deploymentId: '1-250' });
    expect(await scene.type('bake')).toMatchObject({
      kind: 'error',
      phase: 'drained',
      error: { code: 'Held', exitCode: 3 },
    });
  });

  test('a status edited by hand stops whatever the verdict would do', async () => {
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

  test('a new pipeline is told to come again', async () => {
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

  test('a job that ends sooner says so, and the next one goes on', async () => {
    const { scene, world } = await openDrained();
    const early = await scene.type('bake', { deadline: world.now + 10 * minute });
    expect(early).toMatchObject({ kind: 'error', error: { code: 'StillBaking', exitCode: 75 } });
    expect(await scene.type('bake')).toMatchObject({ kind: 'done', phase: 'baked' });
  });

  test('cleanup does not take the way back away', async () => {
    const { scene } = await openDrained();
    expect(await scene.type('cleanup')).toMatchObject({
      kind: 'error',
      error: { code: 'StageOutOfOrder' },
    });
  });

  test('a person at a terminal is let in, whichever command watches', async () => {
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

describe('a bake that finds too little', () => {
  test('goes on at its end by what is configured', async () => {
    const { scene } = await openDrained({ bake: { jobs: 20, atMostMs: hour } });
    expect(await scene.type('bake')).toMatchObject({ kind: 'done', phase: 'baked' });
  });

  test('or leaves it to a person, who is told both ways', async () => {
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
  test('the new one: the old one is opened at once, and made active by itself', async () => {
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

  test('the old one: there is no way back, which is said, and it is watched on', async () => {
    const { scene, world } = await openDrained({ bake: { atMostMs: 2 * hour } });
    scene.simulation.at(5 * minute, () => end(world, pink));
    scene.simulation.at(10 * minute, () => breakJobs(world, purple, bad));
    const ending = await scene.type('bake');
    expect(ending).toMatchObject({ kind: 'done', phase: 'baked' });
    expect(ending.log.filter((line) => line.includes('no way back to pink'))).toHaveLength(1);
    expect(activeShard(world, stackOf(world))).toBe(purple);
  });
});
