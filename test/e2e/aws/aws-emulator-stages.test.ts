import { afterAll, expect, test } from '@jest/globals';
import { describeWithTools } from '../../support/tools.ts';
import { startMoto } from '../../terraform/moto.ts';
import { openWorld } from '../by-hand/world/world.ts';
import { answeredIn } from './emulated.ts';
import { watchEmulator } from './watched-emulator.ts';

const stages = ['prepare', 'onboard', 'provision', 'shutdown', 'cleanup', 'finalize'];

/** Parameter Store is the emulator's: every read and write of status, record, lock and tokens. */
describeWithTools({ name: 'stages over an AWS emulator', needs: ['moto_server'] }, (path) => {
  // In either order; the list is whole once both have run.
  const answered = new Set<string>();
  afterAll(() => {
    expect([...answered].sort()).toEqual(answeredIn('aws-emulator-stages'));
  });

  test.each(['gitlab', 'github'] as const)(
    'two deployments of runners of %s, the one that retires a shard stage by stage',
    async (runners) => {
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
      } finally {
        await world.close();
        for (const call of front.answered()) answered.add(call);
        await front.close();
        await moto.close();
      }
    },
  );
});
