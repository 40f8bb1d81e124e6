import { describe, expect, test } from '@jest/globals';
import { pink, worldWithActive } from '../../fakes/builders.ts';
import type { Command } from '../../stages/drive.ts';
import { openScene, type Scene } from '../scene.ts';

/** Written by a switch, whichever shard it names. */
const switchesOf = (scene: Scene) =>
  scene.story.filter((line) => /parameters\.overwrite name=\S*deployment_status/.test(line)).length;

/** A deployment whose pipeline waits for an approval, with a candidate that is healthy. */
async function awaiting(...stages: readonly Command[]) {
  const world = worldWithActive(pink);
  const scene = openScene(world);
  for (const stage of ['prepare', 'onboard', ...stages] as const)
    await scene.type(stage, { deploymentId: '1-200' });
  return scene;
}

describe('recover of a deployment that waits for an approval', () => {
  test.each([
    'recover rerun',
    'recover auto',
    'recover cleanup',
    'recover replace',
    'recover terminate',
  ] as const)('%s never makes its candidate active', async (command) => {
    const scene = await awaiting('provision --until healthy');
    const { phase } = await scene.type(command, { deploymentId: '1-200' });
    expect(['healthy', 'applied', 'prepared']).toContain(phase);
    expect(switchesOf(scene)).toBe(0);
  });

  test('recover rerun stops at healthy, names promote, and promote then switches', async () => {
    const scene = await awaiting('provision --until healthy');
    const ending = await scene.type('recover rerun', { deploymentId: '1-200' });
    expect(ending).toMatchObject({ kind: 'done', phase: 'healthy' });
    expect(ending.log.join('\n')).toContain('Next, after the approval: hosted-runner promote');
    expect(await scene.type('promote', { deploymentId: '1-200' })).toMatchObject({
      kind: 'done',
      phase: 'promoted',
    });
  });

  test('a provision without an option, as errors print it, stops at healthy, too', async () => {
    const scene = await awaiting('provision --until healthy');
    expect(await scene.type('provision', { deploymentId: '1-200' })).toMatchObject({
      phase: 'healthy',
    });
  });

  test('a pipeline that adopts the deployment decides for itself', async () => {
    const scene = await awaiting('provision --until healthy');
    await scene.simulation.advance(24 * 3_600_000);
    for (const stage of ['prepare', 'onboard', 'provision'] as const)
      await scene.type(stage, { deploymentId: '1-300' });
    expect(switchesOf(scene)).toBe(1);
  });
});

test('recover of a deployment without an approval makes its candidate active', async () => {
  const scene = await awaiting();
  expect(await scene.type('recover rerun', { deploymentId: '1-200' })).toMatchObject({
    kind: 'done',
    phase: 'promoted',
  });
  expect(switchesOf(scene)).toBe(1);
});
