import { expect, test } from '@jest/globals';
import { bakingStack, emptyWorld, purple } from '../../fakes/builders.ts';
import { activeShard } from '../../fakes/world/shards.ts';
import { openScene, pipeline } from '../scene.ts';
import { stackOf } from '../service/promoted.ts';

const minute = 60_000;

test('a bake of GitHub runners uses the data that GitHub provides and ends in time', async () => {
  const stack = bakingStack({
    signals: { ...bakingStack().bake.signals, health: 'required' },
  });
  const github = {
    scope: { kind: 'organization', organization: 'acme' },
    groups: { production: 'Default' },
    ephemeral: false,
  } as const;
  const behaviour = { runners: 'github_persistent', concurrent: 1 } as const;
  const world = emptyWorld({ stacks: [{ ...stack, github }], behaviour });
  const scene = openScene(world);
  await pipeline(scene, '1-100');
  for (const stage of ['prepare', 'onboard', 'provision', 'shutdown'] as const)
    await scene.type(stage);
  const before = world.now;
  const ending = await scene.type('bake');
  expect(ending).toMatchObject({ kind: 'done', phase: 'baked' });
  expect(ending.log.join('\n')).toMatch(
    /Baked purple: healthy, 0 customer jobs finished on the new shard; the customer jobs of purple cannot be listed; good: health/,
  );
  expect(world.now - before).toBeLessThanOrEqual(31 * minute);
  expect(activeShard(world, stackOf(world))).toBe(purple);
  expect(world.violations).toEqual([]);
});
