import { expect, test } from '@jest/globals';
import { describeWithTools } from '../../support/tools.ts';
import { startMoto } from '../../terraform/moto.ts';
import { openWorld } from '../by-hand/world/world.ts';

const stages = ['prepare', 'onboard', 'provision', 'shutdown', 'cleanup', 'finalize'];

/**
 * The emulator provides Parameter Store: every read and write of status, record, lock and tokens.
 */
describeWithTools({ name: 'stages over an AWS emulator', needs: ['moto_server'] }, (path) => {
  test.each(['gitlab', 'github'] as const)(
    'two deployments of runners of %s work, with stage-by-stage retirement',
    async (runners) => {
      const moto = await startMoto(path('moto_server'));
      const world = await openWorld({ runners, forwardSsm: moto.url });
      try {
        for (const [shard, commands] of [
          ['pink', ['deploy']],
          ['purple', stages],
        ] as const) {
          for (const stage of commands) {
            const { text, exitCode } = await world.stage(stage);
            expect({ stage, text, exitCode }).toEqual({ stage, text, exitCode: 0 });
          }
          const { text } = await world.stage('status');
          expect(text).toContain(`${shard} accepts jobs`);
        }
      } finally {
        await world.close();
        await moto.close();
      }
    },
  );
});
