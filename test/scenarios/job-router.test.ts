import { expect, test } from '@jest/globals';
import { purple } from '../fakes/builders.ts';
import { hostsOf } from '../fakes/world/shards.ts';
import type { World } from '../fakes/world/world.ts';
import { hour, openPromoted, stackOf } from './service/promoted.ts';

const second = 1000;
const behindRouter =
  "Starting a canary on purple: its job requests go through GitLab's job router, whose request count proves nothing.";

/**
 * Opens a promoted stack whose proof of purple is older than `evidence_max_age`, without a newer
 * job.
 */
async function openIdle(change: (world: World) => void) {
  const { scene, world } = await openPromoted();
  await scene.simulation.advance(hour);
  change(world);
  const begunAt = world.now;
  let canaryAt: number | undefined;
  const sentCanary = scene.simulation.trace.length;
  const ending = await scene.type('finalize');
  for (const { port, method, at } of scene.simulation.trace.slice(sentCanary))
    if (port === 'canary' && method === 'start') canaryAt ??= at - begunAt;
  return { ending, canaryAt };
}

test.each([
  ['is behind the job router', 'alone'],
  ['is behind the job router, beside a second runner', 'beside_another_runner'],
] as const)(
  'an idle shard whose runner %s gets a canary at once, and the log has the reason',
  async (_, jobRouter) => {
    const { ending, canaryAt } = await openIdle((world) => {
      for (const host of hostsOf(world, stackOf(world), purple)) host.jobRouter = jobRouter;
    });
    expect(ending).toMatchObject({ kind: 'done', phase: 'done' });
    expect(ending.log).toContain(behindRouter);
    expect(ending.log.join('\n')).not.toContain('has counted no response');
    expect(canaryAt).toBeLessThan(10 * second);
  },
);

test('an idle shard whose responses are counted gets no canary', async () => {
  const { ending, canaryAt } = await openIdle(() => undefined);
  expect(ending).toMatchObject({ kind: 'done', phase: 'done' });
  expect(ending.log).not.toContain(behindRouter);
  expect(canaryAt).toBeUndefined();
});
