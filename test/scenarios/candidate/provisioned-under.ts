import { expect } from '@jest/globals';
import { parametersOf, parameterValue } from '../../fakes/world/serving.ts';
import type { World } from '../../fakes/world/world.ts';
import { openScene, type Scene } from '../scene.ts';
import { type Cause, candidateOf, type Spoiling, spoiling, worldOf } from './causes.ts';

/** A provision of a candidate that something is wrong with; `code` is the error's, or how else it ended. */
export async function provisionedUnder(
  cause: Cause,
  options: Spoiling = {},
): Promise<{ scene: Scene; code: string; world: World }> {
  const world = worldOf(cause);
  const scene = openScene(world, spoiling(world, cause, options));
  for (const stage of ['prepare', 'onboard'] as const) await scene.type(stage);
  scene.story.length = 0;
  const ending = await scene.type('provision');
  return { scene, code: ending.kind === 'error' ? ending.error.code : ending.kind, world };
}

/** Whatever is wrong with the candidate: pink goes on serving, and purple gets no customer's job. */
export function expectUntouched(world: World): void {
  const [stack] = world.stacks;
  if (stack === undefined) throw new Error('the world has no stack');
  expect(parameterValue(world, parametersOf(stack).status)).toContain('"active_shard":"pink"');
  expect(candidateOf(world).registration?.tags ?? []).not.toContain('linux');
  expect(world.violations).toEqual([]);
}
