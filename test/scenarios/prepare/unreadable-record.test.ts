import { describe, expect, test } from '@jest/globals';
import { pink, worldWithActive } from '../../fakes/builders.ts';
import { setRecord } from '../../fakes/world/record-by-hand.ts';
import { openScene } from '../scene.ts';

describe('a record that cannot be read', () => {
  test.each([
    ['a damaged record', '{"schema":1,', 'RecordInvalid'],
    ['a record of a newer program', '{"schema":99}', 'RecordFromNewerVersion'],
  ])('stops every stage and names the shard that accepts jobs: %s', async (_, text, code) => {
    const world = worldWithActive(pink);
    const scene = openScene(world);
    await scene.type('deploy', { ci: 'terminal', deploymentId: 'at-1' });
    setRecord(world, text);
    for (const stage of ['prepare', 'shutdown', 'recover cleanup'] as const)
      expect(await scene.type(stage, { deploymentId: '1-300' })).toMatchObject({
        error: {
          code,
          exitCode: 3,
          fields: {
            now: expect.stringMatching(
              /^purple accepts jobs: .* The deployment record could not be read\.$/,
            ),
          },
        },
      });
    expect(world.violations).toEqual([]);
  });
});
