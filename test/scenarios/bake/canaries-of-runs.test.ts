import { expect, test } from '@jest/globals';
import { jobsAlone } from '../../fakes/bake-settings.ts';
import { activeShard, hostsOf } from '../../fakes/world/shards.ts';
import { minute } from '../service/promoted.ts';
import { openDrained, pink, purple, stackOf } from './baked.ts';

const signals = { ...jobsAlone, canary: 'required' } as const;

test('the canaries of earlier bake runs do not count as customer jobs', async () => {
  const { scene, world } = await openDrained({ bake: { jobs: 1, signals } });
  await scene.simulation.advance(31 * minute);
  for (const deploymentId of ['1-300', '1-301', '1-302']) {
    const ending = await scene.type('finalize', {
      deploymentId,
      deadline: world.now + 15 * minute,
    });
    expect(ending).toMatchObject({
      kind: 'error',
      phase: 'drained',
      error: { code: 'StillBaking', exitCode: 75 },
    });
    expect(JSON.stringify(ending)).toContain('0 of 1 customer jobs have finished on the new shard');
  }
  expect(activeShard(world, stackOf(world))).toBe(purple);
  expect(hostsOf(world, stackOf(world), pink)).not.toEqual([]);
});
