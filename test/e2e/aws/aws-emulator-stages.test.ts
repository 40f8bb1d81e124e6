import { expect, test } from '@jest/globals';
import { describeWithTools } from '../../support/tools.ts';
import { startMoto } from '../../terraform/moto.ts';
import { openWorld } from '../by-hand/world/world.ts';
import { answeredIn } from './emulated.ts';
import { watchEmulator } from './watched-emulator.ts';

const stages = ['prepare', 'onboard', 'provision', 'shutdown', 'cleanup', 'finalize'];

/** Parameter Store is the emulator's: every read and write of status, record, lock and tokens. */
describeWithTools({ name: 'stages over an AWS emulator', needs: ['moto_server'] }, (path) => {
  test.each([
    // A token is overwritten. Only the list of a fleet's runners, which GitHub needs, is deleted.
    ['gitlab', ['DeleteParameter']],
    ['github', []],
  ] as const)(
    'two deployments of runners of %s, the one that retires a shard stage by stage',
    async (runners, unneeded: readonly string[]) => {
      const moto = await startMoto(path('moto_server'));
      const front = await watchEmulator(moto.url);
      const world = await openWorld({ runners, forwardSsm: front.url });
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
          expect(text).toContain(`${shard} serves`);
        }
        expect(front.answered()).toEqual(
          answeredIn('aws-emulator-stages').filter((call) => !unneeded.includes(call)),
        );
      } finally {
        await world.close();
        await front.close();
        await moto.close();
      }
    },
  );
});
