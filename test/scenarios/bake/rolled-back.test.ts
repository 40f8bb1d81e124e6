import { describe, expect, test } from '@jest/globals';
import { deploymentOf } from '../../fakes/deployment-of.ts';
import { absorb } from '../../fakes/invariants/checker.ts';
import { putParameter } from '../../fakes/ports/parameters-fake.ts';
import { addPipeline } from '../../fakes/ports/pipelines-fake.ts';
import { activeShard, hostsOf, parametersOf, parameterValue } from '../../fakes/world/shards.ts';
import type { World } from '../../fakes/world/world.ts';
import { hour, minute } from '../service/promoted.ts';
import { openBaking, openDrained, pink, purple, stackOf } from './baked.ts';

const red = { kind: 'error', error: { code: 'TakenBack', exitCode: 1 } };
const recordOf = (world: World) =>
  deploymentOf(parameterValue(world, parametersOf(stackOf(world)).record));
const isThere = (world: World) => hostsOf(world, stackOf(world), purple).length > 0;

describe('a bake that an operator ends by a rollback', () => {
  test('fails its own pipeline at every run and leaves the removal to another pipeline', async () => {
    const { scene, world } = await openDrained();
    addPipeline(world, { deploymentId: '1-250', createdAt: world.now });
    await scene.simulation.advance(minute);
    const typed = await scene.type('rollback', { deploymentId: '1-250', reason: 'slow builds' });
    expect(typed).toMatchObject({ kind: 'done' });
    for (const stage of ['bake', 'cleanup', 'finalize', 'finalize', 'prepare'] as const)
      expect(await scene.type(stage)).toMatchObject({ ...red, phase: 'promoted' });
    expect(isThere(world)).toBe(true);

    await scene.simulation.advance(minute);
    addPipeline(world, { deploymentId: '1-300', createdAt: world.now });
    const retired = await scene.type('finalize', { deploymentId: '1-300' });
    expect(retired).toMatchObject({ kind: 'done', phase: 'done' });
    expect(isThere(world)).toBe(false);
    expect(activeShard(world, stackOf(world))).toBe(pink);
    expect(await scene.type('finalize', { deploymentId: '1-300' })).toMatchObject({
      kind: 'nothing',
    });
    expect(await scene.type('finalize')).toMatchObject(red);
    expect(world.violations).toEqual([]);
  });

  test('ends the bake run with the reason of the operator', async () => {
    const { scene, world } = await openBaking();
    let typed: Promise<unknown> | undefined;
    scene.simulation.at(10 * minute, () => {
      typed = scene.type('rollback', { deploymentId: '1-250', reason: 'slow builds' });
    });
    let ending = await scene.type('finalize');
    expect(await typed).toMatchObject({ kind: 'done' });
    // The bake may have polled while the rollback held the lock.
    expect(ending).toMatchObject({ kind: 'error' });
    ending = await scene.type('finalize');
    expect(ending).toMatchObject({
      ...red,
      error: {
        fields: {
          what: 'Deployment 1-200 of linux was rolled back.',
          why: [expect.stringContaining('rolled back: slow builds')],
        },
      },
    });
    expect(world.violations).toEqual([]);
  });

  test('leaves the removal to its own pipeline if that pipeline rolled back, and the pipeline fails', async () => {
    const { scene, world } = await openDrained();
    expect(await scene.type('rollback')).toMatchObject({ kind: 'done' });
    expect(recordOf(world)).toMatchObject({ id: '1-200-rollback' });
    expect(await scene.type('finalize')).toMatchObject({ ...red, phase: 'done' });
    expect(isThere(world)).toBe(false);
    expect(await scene.type('finalize', { deploymentId: '1-300' })).toMatchObject({
      kind: 'nothing',
    });
    expect(await scene.type('finalize')).toMatchObject(red);
    expect(world.violations).toEqual([]);
  });

  test('ends the same way by an edit of the status and an activation', async () => {
    const { scene, world } = await openDrained();
    const value = JSON.stringify({ active_shard: pink, inactive_shard: purple });
    putParameter(world, { name: parametersOf(stackOf(world)).status, value });
    absorb(world);
    await scene.simulation.advance(minute);
    const made = await scene.type('activate pink', { deploymentId: '1-250' });
    expect(made).toMatchObject({ kind: 'done' });
    expect(await scene.type('finalize')).toMatchObject(red);
  });
});

test('a rollback after the bake or without a bake fails no pipeline', async () => {
  const { scene } = await openBaking({ longBuildMs: 2 * hour });
  expect(await scene.type('shutdown')).toMatchObject({ phase: 'baked' });
  expect(await scene.type('rollback', { deploymentId: '1-250' })).toMatchObject({ kind: 'done' });
  expect(await scene.type('finalize')).toMatchObject({ kind: 'nothing' });
});
