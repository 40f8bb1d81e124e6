import { expect, test } from '@jest/globals';
import { bakingStack, worldWithActive } from '../../fakes/builders.ts';
import { activeShard, hostsOf } from '../../fakes/world/serving.ts';
import { openScene } from '../scene.ts';
import { minute } from '../service/promoted.ts';
import { bad, breakJobs, pink, purple, stackOf } from './baked.ts';

const target = 'https://registry.example.com/v2/';

/** Purple is promoted, pink is drained, and both have to reach the registry. */
async function openReaching() {
  const stack = bakingStack();
  const { evidence } = stack.healthcheck;
  const healthcheck = {
    ...stack.healthcheck,
    reach: [target],
    evidence: { ...evidence, reachability: 'required' as const },
  };
  const world = worldWithActive(pink, { stacks: [{ ...stack, healthcheck }] });
  const scene = openScene(world);
  for (const command of ['prepare', 'onboard', 'provision', 'shutdown'] as const)
    await scene.type(command);
  return { scene, world };
}

test.each([
  ['of both shards takes nothing back, also once it is over', [pink, purple], purple],
  ['of the new one alone is its own', [purple], pink],
])('an outage %s', async (_, shards, active) => {
  const { scene, world } = await openReaching();
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
