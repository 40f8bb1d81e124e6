import { expect, test } from '@jest/globals';
import { activeShard, hostsOf } from '../../fakes/world/shards.ts';
import { minute } from '../service/promoted.ts';
import { bad, breakJobs, openReaching, pink, purple, stackOf } from './baked.ts';

const target = 'https://registry.example.com/v2/';

test.each([
  ['of both shards causes no rollback, even after it has ended', [pink, purple], purple],
  ['of the new shard alone causes a rollback', [purple], pink],
])('an outage %s', async (_, shards, active) => {
  const { scene, world } = await openReaching(target);
  const hosts = () => shards.flatMap((shard) => hostsOf(world, stackOf(world), shard));
  scene.simulation.at(5 * minute, () => {
    breakJobs(world, purple, bad);
    for (const host of hosts()) host.unreachable = { [target]: 'no connection' };
  });
  scene.simulation.at(15 * minute, () => {
    for (const host of hosts()) host.unreachable = {};
  });
  await scene.type('bake');
  expect(activeShard(world, stackOf(world))).toBe(active);
  expect(world.violations).toEqual([]);
});
