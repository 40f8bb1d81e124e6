import { expect, test } from '@jest/globals';
import { startWatch } from '../../../sandbox/demo/count/watch.ts';
import { createSystemClock } from '../../../src/adapters/system/system-clock.ts';
import { openSandbox } from '../hosts/running-sandbox.ts';

test('a world whose clock is moved is looked at in the time of its jobs’ marks', async () => {
  const world = await openSandbox();
  const clock = createSystemClock();
  const stack = {
    runnerName: 'linux',
    prefix: '/gitlab/dedicated/runner/linux/',
    productionTag: 'linux',
    runners: 'gitlab',
    managers: 1,
    shards: ['pink', 'purple'],
  } as const;
  const watch = startWatch({ sandbox: world.sandbox, stack, clock, onLook: () => undefined });
  try {
    const before = clock.now();
    world.sandbox.clock.advance(3_600_000);
    const { at } = watch.now();
    expect(at).toBeGreaterThanOrEqual(before);
    expect(at).toBeLessThanOrEqual(clock.now());
  } finally {
    await watch.stop();
    await world.close();
  }
});
