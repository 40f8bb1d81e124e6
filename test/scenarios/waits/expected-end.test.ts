import { describe, expect, test } from '@jest/globals';
import type { StackSettings } from '../../../src/domain/settings.ts';
import { pink, stackSettings, worldWithActive } from '../../fakes/builders.ts';
import { closeJob, submitJob } from '../../fakes/world/jobs.ts';
import type { World } from '../../fakes/world/world.ts';
import { openScene, type Scene } from '../scene.ts';
import { minute, pause } from '../service/promoted.ts';

/** Returns settings without host access. */
function withoutHosts(): StackSettings {
  const settings = stackSettings();
  const { evidence } = settings.healthcheck;
  return {
    ...settings,
    host: { ...settings.host, access: 'none' },
    healthcheck: {
      ...settings.healthcheck,
      evidence: { ...evidence, instance: 'off', host: 'off', workload: 'off' },
    },
  };
}

/** Opens a drain of pink with a build of 40 minutes. An earlier build took `usualMs`. */
async function openBuilding(usualMs: number | undefined, stack = withoutHosts()) {
  const world = worldWithActive(pink, { stacks: [stack] });
  const scene = openScene(world);
  await scene.type('prepare');
  await scene.type('onboard');
  if (usualMs !== undefined) {
    submitJob(world, { name: 'build', tags: ['linux'], durationMs: usualMs });
    await scene.simulation.advance(usualMs + minute);
  }
  const job = submitJob(world, { name: 'build', tags: ['linux'], durationMs: 40 * minute });
  await scene.simulation.advance(10_000);
  expect(job.status).toBe('running');
  await scene.type('provision');
  return { scene, world, job };
}

/** Returns the GitLab calls per minute about pink's runner 48213 in a period. */
function callsAMinute({ simulation }: Scene, from: number, to: number): number {
  const calls = simulation.trace.filter(
    ({ at, port, args }) => at >= from && at < to && port === 'registry' && args[0] === '48213',
  );
  return calls.length / ((to - from) / minute);
}

async function drainOf(
  usualMs: number | undefined,
): Promise<{ scene: Scene; world: World; endedAt: number }> {
  const { scene, world, job } = await openBuilding(usualMs);
  await scene.type('shutdown');
  return { scene, world, endedAt: job.finishedAt ?? Number.NaN };
}

describe('a drain without access to hosts', () => {
  test('polls a job that usually takes 40 minutes once a minute, and more often near its end', async () => {
    const { scene, endedAt } = await drainOf(40 * minute);
    expect(callsAMinute(scene, endedAt - 30 * minute, endedAt - 10 * minute)).toBeLessThan(2);
    expect(callsAMinute(scene, endedAt - 6 * minute, endedAt - 4 * minute)).toBeGreaterThan(4);
  });

  test('polls a job every drain.poll from two minutes before its usual end to two minutes after it', async () => {
    const { scene, endedAt } = await drainOf(38 * minute);
    const { pollMs } = withoutHosts().drain;
    expect(callsAMinute(scene, endedAt - 4 * minute, endedAt)).toBeGreaterThan(minute / pollMs);
  });

  test('polls a job that takes longer than usual more often', async () => {
    const { scene, endedAt } = await drainOf(20 * minute);
    expect(callsAMinute(scene, endedAt - 15 * minute, endedAt)).toBeGreaterThan(4);
  });

  test('polls a job without an estimate at least every 15 seconds', async () => {
    const { scene, endedAt } = await drainOf(undefined);
    expect(callsAMinute(scene, endedAt - 10 * minute, endedAt)).toBeGreaterThanOrEqual(4);
  });

  test('notices within a minute that an operator unpauses the shard', async () => {
    const { scene, world } = await openBuilding(40 * minute);
    const openedAt = world.now + 10 * minute + 1000;
    scene.simulation.at(10 * minute + 1000, (then) => pause(then, pink, false));
    expect(await scene.type('shutdown')).toMatchObject({ error: { code: 'OpenedByOther' } });
    // The unpause must last for some seconds before it counts.
    expect(world.now - openedAt).toBeLessThan(90_000);
  });

  test('ends in time at drain.timeout', async () => {
    const { scene, world } = await openBuilding(40 * minute);
    const stack = world.stacks[0] as StackSettings;
    const from = world.now;
    const drain = { ...stack.drain, timeoutMs: 10 * minute + 15_000 };
    world.stacks[0] = { ...stack, drain };
    expect(await scene.type('shutdown')).toMatchObject({ error: { code: 'DrainTimedOut' } });
    expect(world.now - from).toBeLessThan(10 * minute + 25_000);
  });
});

describe('a drain whose hosts may be checked', () => {
  test.each([4000, 20_000])(
    'waits on the host from the first check on, however late the usual end of the job is (%d ms)',
    async (inMs) => {
      const { scene, world, job } = await openBuilding(40 * minute, stackSettings());
      const endedAt = world.now + inMs;
      scene.simulation.at(inMs, (then) => closeJob(then, job, 'canceled'));
      await scene.type('shutdown');
      const seen = scene.simulation.trace.find(
        ({ at, method, args }) => at >= endedAt && method === 'listJobs' && args[0] === '48213',
      );
      expect((seen?.at ?? Number.NaN) - endedAt).toBeLessThan(2000);
    },
  );
});
