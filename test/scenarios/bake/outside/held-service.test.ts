import { describe, expect, test } from '@jest/globals';
import type { Intercept } from '../../../fakes/faults/fault-wrapper.ts';
import { putParameter } from '../../../fakes/ports/parameters-fake.ts';
import { parametersOf } from '../../../fakes/world/shards.ts';
import { killAt, writes } from '../../../stages/reach.ts';
import { end, intakeIn, isOpen, minute, noteOf } from '../../service/promoted.ts';
import { bad, breakJobs, hour, openBaking, openDrained, pink, purple, stackOf } from '../baked.ts';

/** Holds the stack and ends purple ten minutes later. */
async function openHeldAndDead(longBuildMs?: number) {
  const opened =
    longBuildMs === undefined ? await openDrained() : await openBaking({ longBuildMs });
  const { scene, world } = opened;
  scene.simulation.at(5 * minute, () => {
    void scene.type('hold', { deploymentId: '1-250' });
  });
  scene.simulation.at(15 * minute, () => end(world, purple));
  return opened;
}

describe('a new shard that dies under a hold', () => {
  test.each(['bake', 'finalize'] as const)(
    'makes %s, which baked before the hold, reopen the old shard',
    async (stage) => {
      const { scene, world } = await openHeldAndDead();
      const before = world.now;
      const ending = await scene.type(stage, { deadline: world.now + hour });
      expect(ending).toMatchObject({ kind: 'error' });
      expect(isOpen(world, pink)).toBe(true);
      expect(world.now - before).toBeLessThan(20 * minute);
      expect(world.violations).toEqual([]);
    },
  );

  test('makes a drain reopen the old shard', async () => {
    const { scene, world } = await openHeldAndDead(2 * hour);
    const before = world.now;
    expect(await scene.type('shutdown')).toMatchObject({ kind: 'error' });
    expect(isOpen(world, pink)).toBe(true);
    expect(world.now - before).toBeLessThan(20 * minute);
    expect(world.violations).toEqual([]);
  });

  test.each(['bake', 'finalize'] as const)(
    'makes %s, which starts under the hold, reopen the old shard',
    async (stage) => {
      const { scene, world } = await openHeldAndDead();
      await scene.simulation.advance(16 * minute);
      const ending = await scene.type(stage);
      expect(ending).toMatchObject({ kind: 'error', error: { code: 'Held' } });
      expect(isOpen(world, pink)).toBe(true);
      expect(world.violations).toEqual([]);
    },
  );
});

/** Kills a rollback before it reopens pink, then holds the stack and ends purple. */
async function openBegunBack(by: 'verdict' | 'person') {
  const kill = killAt(
    (call) => writes('promoting')(call) && JSON.stringify(call.args).includes('rollback'),
  );
  let isLater = false;
  const intercept: Intercept = (call) => (isLater ? kill(call) : undefined);
  const { scene, world } = await openDrained({ intercept });
  isLater = true;
  if (by === 'verdict') scene.simulation.at(5 * minute, () => breakJobs(world, purple, bad));
  const ending = await scene.type(by === 'verdict' ? 'bake' : 'rollback');
  expect(ending).toMatchObject({ kind: 'killed' });
  await scene.simulation.advance(20 * minute);
  expect(noteOf(world)).toMatchObject({ kind: 'rollback', phase: 'promoting' });
  expect(isOpen(world, pink)).toBe(false);
  await scene.type('hold', { deploymentId: '1-250' });
  return { scene, world };
}

describe('a rollback that was started before a hold', () => {
  test.each(['verdict', 'person'] as const)(
    'reopens the old shard if the new one dies (started by a %s)',
    async (by) => {
      const { scene, world } = await openBegunBack(by);
      end(world, purple);
      const ending = await scene.type('finalize');
      expect(ending).toMatchObject({ kind: 'error' });
      expect(isOpen(world, pink)).toBe(true);
      // No drain paused purple.
      expect(intakeIn(world, purple)).toBeUndefined();
      expect(world.violations).toEqual([]);
    },
  );

  test('leaves the old shard paused while the new one accepts jobs', async () => {
    const { scene, world } = await openBegunBack('verdict');
    expect(await scene.type('finalize')).toMatchObject({ kind: 'error' });
    expect(isOpen(world, pink)).toBe(false);
    await scene.type('release', { deploymentId: '1-250' });
    await scene.type('finalize');
    expect(isOpen(world, pink)).toBe(true);
    expect(world.violations).toEqual([]);
  });

  test('reopens the old shard itself if the new one dies while it runs', async () => {
    let happens = () => {};
    const intercept: Intercept = (call) => {
      // This call is the rollback's first effect after the record.
      if (call.method === 'route' && call.args[0] === '48213') happens();
      return undefined;
    };
    const { scene, world } = await openDrained({ intercept });
    happens = () => {
      happens = () => {};
      const value = JSON.stringify({ who: 'anna', why: 'wait', since: noteOf(world)['phase_at'] });
      putParameter(world, { name: parametersOf(stackOf(world)).hold, value });
      end(world, purple);
    };
    const ending = await scene.type('rollback');
    expect(ending).toMatchObject({ kind: 'error', error: { code: 'Held' } });
    expect(isOpen(world, pink)).toBe(true);
    expect(world.violations).toEqual([]);
  });
});
