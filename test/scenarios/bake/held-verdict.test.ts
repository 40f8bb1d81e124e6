import { describe, expect, test } from '@jest/globals';
import type { Intercept } from '../../fakes/faults/fault-wrapper.ts';
import { activeShard } from '../../fakes/world/shards.ts';
import { hour, minute } from '../service/promoted.ts';
import { bad, breakJobs, openBaking, openDrained, pink, purple, stackOf } from './baked.ts';

/** Opens a drain under a hold whose bake has a verdict when pink's last job ends. */
async function openHeld({ isBad }: { isBad: boolean }) {
  const opened = await openBaking({ longBuildMs: 2 * hour });
  const { scene, world } = opened;
  scene.simulation.at(hour, () => {
    void scene.type('hold', { deploymentId: '1-250' });
  });
  if (isBad) scene.simulation.at(hour + minute, () => breakJobs(world, purple, bad));
  return opened;
}

describe('a bake verdict at the end of a drain under a hold', () => {
  test('waits for the release of the hold and counts then', async () => {
    const { scene, world } = await openHeld({ isBad: false });
    const before = world.now;
    scene.simulation.at(9 * hour, () => {
      void scene.type('release', { deploymentId: '1-250' });
    });
    const ending = await scene.type('finalize');
    expect(ending).toMatchObject({ kind: 'done', phase: 'done' });
    expect(world.now - before).toBeGreaterThan(9 * hour);
    expect(ending.log.join('\n')).toContain('; on hold by ');
    expect(world.violations).toEqual([]);
  });

  test('rolls a bad shard back after the release of the hold', async () => {
    const { scene, world } = await openHeld({ isBad: true });
    let isActive: string | undefined;
    scene.simulation.at(4 * hour, () => {
      isActive = activeShard(world, stackOf(world));
      void scene.type('release', { deploymentId: '1-250' });
    });
    const ending = await scene.type('finalize');
    expect(ending).toMatchObject({ kind: 'error', phase: 'done', error: { code: 'TakenBack' } });
    expect(isActive).toBe(purple);
    expect(activeShard(world, stackOf(world))).toBe(pink);
    expect(world.violations).toEqual([]);
  });

  test('passes from the job that drains to the job that bakes', async () => {
    const { scene, world } = await openHeld({ isBad: false });
    const ending = await scene.type('shutdown');
    expect(ending).toMatchObject({ kind: 'done', phase: 'drained' });
    expect(await scene.type('bake')).toMatchObject({ kind: 'error', error: { code: 'Held' } });
    await scene.type('release');
    expect(await scene.type('bake')).toMatchObject({ kind: 'done', phase: 'baked' });
    expect(world.violations).toEqual([]);
  });

  test('ends with exit code 75 if the job ends first', async () => {
    const { scene, world } = await openHeld({ isBad: false });
    const deadline = world.now + 4 * hour;
    const ending = await scene.type('finalize', { deadline });
    expect(ending).toMatchObject({
      kind: 'error',
      phase: 'drained',
      error: { code: 'StillBaking', exitCode: 75 },
    });
    expect(world.now).toBeGreaterThan(deadline - 10 * minute);
  });
});

test('a shard that is temporarily not verified stays in its bake under a hold', async () => {
  let isUnresponsive = false;
  const intercept: Intercept = ({ port }) =>
    isUnresponsive && port === 'host'
      ? { kind: 'error_before', failure: 'unreachable' }
      : undefined;
  const { scene, world } = await openDrained({ intercept });
  const { simulation } = scene;
  simulation.at(minute, () => {
    void scene.type('hold', { deploymentId: '1-250' });
  });
  simulation.at(5 * minute, () => {
    isUnresponsive = true;
  });
  simulation.at(12 * minute, () => {
    isUnresponsive = false;
  });
  simulation.at(3 * hour, () => {
    void scene.type('release', { deploymentId: '1-250' });
  });
  expect(await scene.type('bake')).toMatchObject({ kind: 'done', phase: 'baked' });
  expect(world.violations).toEqual([]);
});
