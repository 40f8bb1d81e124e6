import { describe, expect, test } from '@jest/globals';
import type { Shard } from '../../../src/domain/shard.ts';
import { submitJob } from '../../fakes/world/jobs.ts';
import { activeShard, registrationsOf } from '../../fakes/world/shards.ts';
import type { World } from '../../fakes/world/world.ts';
import { hour, minute } from '../service/promoted.ts';
import { openBaking, pink, purple, stackOf } from './baked.ts';

/** Ends a job of one of four projects on the shard now, with success if no reason is given. */
function end(world: World, shard: Shard, index: number, failureReason?: string): void {
  const job = submitJob(world, {
    name: `build ${index}`,
    tags: ['nobody'],
    durationMs: 1000,
    project: `acme/${index % 4}`,
  });
  const how =
    failureReason === undefined
      ? { status: 'success' }
      : { status: 'failed', failureReason, interruptedBy: 'world' };
  Object.assign(job, {
    ...how,
    registrationId: registrationsOf(world, stackOf(world), shard)[0]?.id,
    startedAt: world.now - 1000,
    finishedAt: world.now,
  });
}

const fault = 'runner_system_failure';

/** Opens a drain of pink of 25 minutes. Pink had ninety successful jobs before the switch. */
async function openAfterGoodOnes(atMostMs = 2 * hour) {
  const { scene, world } = await openBaking({ bake: { atMostMs }, longBuildMs: 25 * minute });
  const { now } = world;
  for (let index = 0; index < 90; index += 1) {
    world.now = now - (200 - index) * minute;
    end(world, pink, index);
  }
  world.now = now;
  return { scene, world };
}

describe('an outage that affects both shards during the drain', () => {
  test('causes no rollback, neither in the drain nor in the bake after it', async () => {
    const { scene, world } = await openAfterGoodOnes();
    for (let at = 5; at < 13; at += 1)
      scene.simulation.at(at * minute, () => {
        end(world, purple, at, fault);
        if (at % 3 === 0) end(world, pink, 100 + at, fault);
      });
    expect(await scene.type('shutdown')).toMatchObject({ kind: 'done', phase: 'drained' });
    const ending = await scene.type('bake');
    expect(ending).toMatchObject({ kind: 'done', phase: 'baked' });
    expect(activeShard(world, stackOf(world))).toBe(purple);
    expect(world.violations).toEqual([]);
  });
});

test('a failure of the last jobs on the old shard does not excuse a new shard that fails all jobs', async () => {
  const { scene, world } = await openBaking({ longBuildMs: 25 * minute });
  scene.simulation.at(3 * minute, () => end(world, pink, 1, fault));
  expect(await scene.type('shutdown')).toMatchObject({ kind: 'done', phase: 'drained' });
  for (let at = 1; at <= 20; at += 1)
    scene.simulation.at(at * minute, () => end(world, purple, at, fault));
  const ending = await scene.type('bake');
  expect(ending).toMatchObject({ kind: 'error', error: { code: 'TakenBack' } });
  expect(activeShard(world, stackOf(world))).toBe(pink);
});
