import { describe, expect, test } from '@jest/globals';
import type { CheckLimit } from '../../../src/ports/runner-host.ts';
import { pink, purple } from '../../fakes/builders.ts';
import type { Intercept } from '../../fakes/faults/fault-wrapper.ts';
import type { TraceEntry } from '../../fakes/faults/trace.ts';
import { closeJob } from '../../fakes/world/jobs.ts';
import { hostsOf } from '../../fakes/world/shards.ts';
import type { JobState, World } from '../../fakes/world/world.ts';
import type { Scene } from '../scene.ts';
import { hour, minute, openPromoted, pause, stackOf } from '../service/promoted.ts';

function calledBetween({ simulation }: Scene, from: number, to: number) {
  return simulation.trace.filter(({ at }) => at >= from && at < to);
}

const ofGitLab: readonly string[] = ['registry', 'canary', 'pipelines'];
const isOfGitLab = ({ port }: TraceEntry) => ofGitLab.includes(port);
const isWait = ({ port, method, args }: Pick<TraceEntry, 'port' | 'method' | 'args'>) =>
  port === 'host' &&
  method === 'look' &&
  (args[1] as CheckLimit | undefined)?.untilIdleMs !== undefined;

function hostOf(world: World, shard: typeof pink) {
  const [host] = hostsOf(world, stackOf(world), shard);
  if (host === undefined) throw new Error(`${shard} has no host`);
  return host;
}

function endJobs(world: World): void {
  for (const id of hostOf(world, pink).jobs) closeJob(world, world.jobs[id] as JobState, 'success');
}

describe('a drain whose host waits for the end of its jobs', () => {
  test('makes about two GitLab calls a minute, including those about the remaining shard', async () => {
    const { scene, world } = await openPromoted();
    const from = world.now + 20 * minute;
    await scene.type('shutdown', { deadline: world.now + 2 * hour });
    const calls = calledBetween(scene, from, from + hour);
    // Responses take no time here, so a real minute has slightly fewer calls.
    expect(calls.filter(isOfGitLab).length).toBeLessThanOrEqual(125);
    expect(calls.filter(isWait).length).toBeGreaterThan(100);
    expect(calls.filter(isWait).length).toBeLessThan(150);
  });

  test('confirms the end of the last job with both sources within seconds', async () => {
    const { scene, world } = await openPromoted();
    scene.simulation.at(30 * minute + 7000, endJobs);
    const endedAt = world.now + 30 * minute + 7000;
    expect(await scene.type('shutdown')).toMatchObject({ kind: 'done', phase: 'drained' });
    const { pollOfRunnerMs } = stackOf(world).drain;
    const lists = calledBetween(scene, endedAt, Number.POSITIVE_INFINITY).filter(
      ({ port, method, args }) =>
        port === 'registry' && method === 'listJobs' && args[0] === '48213',
    );
    const [first, second] = lists.map(({ at }) => at - endedAt);
    expect(first).toBeLessThan(2000);
    expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(pollOfRunnerMs);
    expect(second).toBeLessThan(pollOfRunnerMs + 2000);
  });

  test('notices within a minute that an operator unpauses the shard', async () => {
    const { scene, world } = await openPromoted();
    const openedAt = world.now + 20 * minute + 1000;
    scene.simulation.at(20 * minute + 1000, (then) => pause(then, pink, false));
    expect(await scene.type('shutdown')).toMatchObject({
      kind: 'error',
      error: { code: 'OpenedByOther' },
    });
    // The unpause must last for some seconds before it counts.
    expect(world.now - openedAt).toBeLessThan(90_000);
  });

  test.each([
    ['drain.timeout', { timeoutMs: 30 * minute + 10_000 }, 'DrainTimedOut'],
    ['the deadline of the run', {}, 'StillDraining'],
  ])('ends the wait in time for %s', async (_, drain, code) => {
    const { scene, world } = await openPromoted((stack) => ({
      ...stack,
      drain: { ...stack.drain, ...drain },
    }));
    const from = world.now;
    const limit = code === 'StillDraining' ? { deadline: from + 31 * minute + 15_000 } : {};
    expect(await scene.type('shutdown', limit)).toMatchObject({ error: { code } });
    expect(world.now - from).toBeGreaterThanOrEqual(30 * minute);
    expect(world.now - from).toBeLessThan(30 * minute + 20_000);
  });

  test('repeats a lost command and draws no conclusion from the missing response', async () => {
    let lost = 0;
    const loseSome: Intercept = (call) => {
      if (!isWait(call) || call.index % 3 !== 0) return undefined;
      lost += 1;
      return { kind: 'error_before', failure: 'unreachable' };
    };
    const { scene, world } = await openPromoted(undefined, loseSome);
    scene.simulation.at(40 * minute, endJobs);
    expect(await scene.type('finalize')).toMatchObject({ kind: 'done', phase: 'done' });
    expect(lost).toBeGreaterThan(3);
    expect(world.violations).toEqual([]);
    expect(await scene.rest()).toEqual([]);
  });

  test('leaves a host that does not wait ten seconds between two checks', async () => {
    const { scene, world } = await openPromoted();
    // The script sees a different state of the process at each call.
    const host = hostOf(world, pink);
    const from = world.now + 20 * minute;
    for (let second = 1; second < 3600; second += 1)
      scene.simulation.at(second * 1000, () => {
        host.process = host.process === 'running' ? 'quitting' : 'running';
      });
    await scene.type('shutdown', { deadline: world.now + hour });
    const waits = calledBetween(scene, from, from + 10 * minute).filter(isWait);
    expect(waits.length).toBeGreaterThan(20);
    expect(waits.length).toBeLessThanOrEqual(60);
  });

  test('reopens the shard within a minute and a half once the other shard is gone', async () => {
    const { scene, world } = await openPromoted();
    const endedAt = world.now + 20 * minute + 1000;
    scene.simulation.at(20 * minute + 1000, (then) => {
      hostOf(then, purple).state = 'terminated';
    });
    expect(await scene.type('shutdown')).toMatchObject({ error: { code: 'ServiceLost' } });
    const opened = scene.simulation.trace.find(
      ({ at, method, args }) => at > endedAt && method === 'setIntake' && args[1] === 'open',
    );
    expect((opened?.at ?? Number.POSITIVE_INFINITY) - endedAt).toBeLessThan(90_000);
  });
});
