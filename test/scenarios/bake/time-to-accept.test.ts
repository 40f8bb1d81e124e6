import { expect, test } from '@jest/globals';
import type { Shard } from '../../../src/domain/shard.ts';
import { createSimulation } from '../../fakes/simulation.ts';
import { hostsOf, registrationsOf } from '../../fakes/world/shards.ts';
import type { World } from '../../fakes/world/world.ts';
import { drive } from '../../stages/drive.ts';
import { minute } from '../service/promoted.ts';
import { bad, breakJobs, openBaking, pink, purple, stackOf } from './baked.ts';

test('the old shard accepts jobs within five seconds after the bake has listed the failed jobs', async () => {
  const { scene, world } = await openBaking();
  await scene.type('shutdown');
  const brokenAt = world.now + 10 * minute;
  let seenAt: number | undefined;
  let acceptedAt: number | undefined;
  const simulation = createSimulation({
    world,
    intercept: ({ method, args }) => {
      const isHistoryRead = method === 'readJobHistory' && args[0] === idOf(world, purple);
      if (isHistoryRead && world.now >= brokenAt) seenAt ??= world.now;
      if (acceptsJobs(world, pink)) acceptedAt ??= world.now;
      return undefined;
    },
  });
  simulation.at(10 * minute, () => breakJobs(world, purple, bad));
  expect(acceptsJobs(world, pink)).toBe(false);
  await drive(simulation, 'bake', { deploymentId: '1-200', jobId: 'bake' });
  expect(seenAt).toBeGreaterThanOrEqual(brokenAt);
  expect((acceptedAt ?? Number.POSITIVE_INFINITY) - (seenAt ?? 0)).toBeLessThanOrEqual(5000);
});

const idOf = (world: World, shard: Shard) => registrationsOf(world, stackOf(world), shard)[0]?.id;

/** Decides whether a shard is unpaused, has the production tag and requests jobs. */
function acceptsJobs(world: World, shard: Shard): boolean {
  const [registration] = registrationsOf(world, stackOf(world), shard);
  const isOpen = registration?.paused === false && registration.tags.includes('linux');
  return isOpen && hostsOf(world, stackOf(world), shard).some((host) => host.process === 'running');
}
