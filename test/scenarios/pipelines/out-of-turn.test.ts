import { describe, expect, test } from '@jest/globals';
import { listRunEffects } from '../../fakes/world/happened.ts';
import { reach } from '../../stages/reach.ts';
import { openScene } from '../scene.ts';

describe('a pipeline stage that runs after a failed provision', () => {
  test.each([
    ['shutdown', 'onboarded'],
    ['shutdown', 'applied'],
    ['cleanup', 'onboarded'],
    ['cleanup', 'applied'],
    ['cleanup', 'healthy'],
    ['finalize', 'applied'],
  ] as const)(
    '%s does nothing while the deployment is %s, and reports it',
    async (stage, phase) => {
      const world = await reach(phase);
      const past = world.history.length;
      expect(await openScene(world).type(stage)).toMatchObject({
        kind: 'nothing',
        phase,
        text: `purple is not promoted; the deployment is in phase ${phase}; pink must continue to accept jobs`,
      });
      expect(listRunEffects(world, past).filter((entry) => !('name' in entry))).toEqual([]);
    },
  );

  test('cleanup refuses while the next attempt of shutdown is due', async () => {
    const world = await reach('draining');
    expect(await openScene(world).type('cleanup')).toMatchObject({
      phase: 'draining',
      error: {
        code: 'StageOutOfOrder',
        exitCode: 2,
        fields: {
          why: ['Pink is not drained; the deployment is in phase draining.'],
          fix: [expect.stringContaining('hosted-runner shutdown --runner linux')],
        },
      },
    });
  });
});
