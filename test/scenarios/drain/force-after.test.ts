import { describe, expect, test } from '@jest/globals';
import type { StackSettings } from '../../../src/domain/settings.ts';
import { pink, stackSettings } from '../../fakes/builders.ts';
import type { Fault, Intercept } from '../../fakes/faults/fault-wrapper.ts';
import { hostsOf } from '../../fakes/world/shards.ts';
import type { World } from '../../fakes/world/world.ts';
import { ownId, reach } from '../../stages/reach.ts';
import { openScene } from '../scene.ts';
import { minute, removeHostAccess } from '../service/promoted.ts';

async function draining(
  drain: Partial<StackSettings['drain']>,
  {
    intercept,
    change = (stack: StackSettings) => stack,
  }: { intercept?: Intercept; change?: (stack: StackSettings) => StackSettings } = {},
) {
  const settings = change(stackSettings());
  const world = await reach('draining', { stack: settings });
  world.stacks[0] = { ...settings, drain: { ...settings.drain, ...drain } };
  return { world, scene: openScene(world, intercept) };
}

describe('a drain that may kill jobs, with an unreachable host', () => {
  test('ends in time and reports the reason', async () => {
    const { world, scene } = await draining(
      { forceAfterMs: 5 * minute },
      {
        intercept: ({ port, method }) =>
          port === 'host' && method === 'kill'
            ? { kind: 'error_before', failure: 'unreachable' }
            : undefined,
      },
    );
    world.behaviour.killAllowed = true;
    const deadline = world.now + 20 * minute;
    const ending = await scene.type('shutdown', { deploymentId: ownId, deadline });
    expect(ending).toMatchObject({
      phase: 'draining',
      error: {
        code: 'StillDraining',
        exitCode: 75,
        fields: {
          why: [
            expect.stringMatching(
              /^Drain\.force_after has passed, and host i-0abc0000000000001 could not be stopped: .+; job \d+ "long build" is running\.$/,
            ),
            expect.stringContaining('"long build"'),
            expect.any(String),
          ],
        },
      },
    });
    expect(world.now).toBeLessThan(deadline);
  });
});

/** Gives each host of pink a job like the running one. */
function giveJobs(world: World): void {
  const job = Object.values(world.jobs).find(({ name }) => name === 'long build');
  if (job === undefined) throw new Error('pink has no job');
  for (const host of hostsOf(world, world.stacks[0] as StackSettings, pink)) {
    if (host.jobs.length > 0) continue;
    const id = `${job.id}-${host.id}`;
    world.jobs[id] = { ...job, id, hostId: host.id };
    world.alive.push(id);
    host.jobs = [id];
  }
}

describe('a drain that may kill jobs on several hosts', () => {
  const several = (stack: StackSettings) => ({ ...stack, managers: 3 });

  /** @param what fault of the active shard, right before the first kill arrives */
  async function killing(what?: Fault) {
    const killed = new Set<unknown>();
    const { world, scene } = await draining(
      { forceAfterMs: 5 * minute },
      {
        change: several,
        intercept({ port, method, args }) {
          if (port !== 'host' || method !== 'kill') return undefined;
          killed.add(args[0]);
          return killed.size === 1 ? what : undefined;
        },
      },
    );
    world.behaviour.killAllowed = true;
    giveJobs(world);
    const deadline = world.now + 20 * minute;
    const ending = await scene.type('shutdown', { deploymentId: ownId, deadline });
    return { ending, killed, world };
  }

  test('kills on each host', async () => {
    const { ending, killed, world } = await killing();
    expect(ending).toMatchObject({ kind: 'done', phase: 'drained' });
    expect(killed.size).toBe(3);
    expect(world.violations).toEqual([]);
  });

  test('kills on no further host once the other shard has died', async () => {
    const { ending, killed } = await killing({ kind: 'machines', of: 'active', what: 'dies' });
    expect(ending).toMatchObject({ kind: 'error', error: { code: 'ServiceLost' } });
    expect(killed.size).toBe(1);
  });
});

describe('the printed command that kills the jobs of a timed-out drain', () => {
  test.each([
    ['if hosts are queried', undefined, '--set drain.force_after=30s'],
    [
      'if the configuration forbids queries of hosts',
      removeHostAccess,
      '--set host.access=run_command --set drain.force_after=30s',
    ],
  ] as const)('contains the necessary flags %s', async (_, change, flags) => {
    const { scene } = await draining({ timeoutMs: minute }, change === undefined ? {} : { change });
    const ending = await scene.type('shutdown', { deploymentId: ownId });
    expect(ending).toMatchObject({ error: { code: 'DrainTimedOut' } });
    expect(ending.kind === 'error' && ending.error.fields.fix?.[1]).toMatch(
      new RegExp(`^Or kill its jobs.*: hosted-runner shutdown --runner linux ${flags}$`),
    );
  });
});

describe('a drain with drain.notify_after', () => {
  const warnings = (log: readonly string[]) => log.filter((line) => line.includes('notify_after'));

  test('lists the jobs that still run once in each run of a stage, and continues', async () => {
    const { world, scene } = await draining({ notifyAfterMs: 15 * minute });
    const line =
      /^! pink still drains after 15m(?: \d+s)? \(drain\.notify_after\): job \d+ "long build" of .+, running for 1\dm [^;]+\.$/;
    const first = await scene.type('shutdown', {
      deploymentId: ownId,
      deadline: world.now + 10 * minute,
    });
    expect(first).toMatchObject({ error: { code: 'StillDraining' } });
    expect(warnings(first.log)).toEqual([expect.stringMatching(line)]);
    const second = await scene.type('shutdown', { deploymentId: ownId });
    expect(second).toMatchObject({ kind: 'done', phase: 'drained' });
    expect(warnings(second.log)).toHaveLength(1);
  });

  test('causes no warning if its jobs end before', async () => {
    const { scene } = await draining({ notifyAfterMs: 300 * minute });
    const ending = await scene.type('shutdown', { deploymentId: ownId });
    expect(warnings(ending.log)).toEqual([]);
  });
});
