import { describe, expect, test } from '@jest/globals';
import type { StackSettings } from '../../../src/domain/settings.ts';
import { deploymentOf } from '../../fakes/deployment-of.ts';
import { parametersOf, parameterValue } from '../../fakes/world/shards.ts';
import type { Command } from '../../stages/drive.ts';
import { reach } from '../../stages/reach.ts';
import { openScene } from '../scene.ts';

describe('a job of a pipeline that has started a rollback', () => {
  async function rolledBack(...then: readonly Command[]) {
    const scene = openScene(await reach('promoted'));
    for (const command of ['rollback', ...then] as const) await scene.type(command);
    const { record } = parametersOf(scene.world.stacks[0] as StackSettings);
    const { id } = deploymentOf(parameterValue(scene.world, record));
    expect(scene.world.violations).toEqual([]);
    return { id, scene };
  }

  test.each([
    [['activate purple'], '1-200-activate'],
    [['activate pink'], '1-200-activate'],
    [['activate purple', 'rollback'], '1-200-rollback-2'],
  ] as const)('starts each further deployment under a new id: %j', async (then, id) => {
    expect((await rolledBack(...then)).id).toBe(id);
  });

  test('names its pipeline, and the next pipeline adopts the deployment', async () => {
    const { scene } = await rolledBack('activate purple', 'rollback');
    await scene.simulation.advance(24 * 3_600_000);
    expect(await scene.type('prepare', { deploymentId: '1-300' })).toMatchObject({ kind: 'done' });
  });
});
