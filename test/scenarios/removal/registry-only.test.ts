import { describe, expect, test } from '@jest/globals';
import { renderFindings } from '../../../src/cli/terminal/findings-view.ts';
import type { StackSettings } from '../../../src/domain/settings.ts';
import { pink, stackSettings } from '../../fakes/builders.ts';
import type { Intercept } from '../../fakes/faults/fault-wrapper.ts';
import { hostsOf } from '../../fakes/world/shards.ts';
import type { World } from '../../fakes/world/world.ts';
import { examine } from '../../operator/doctor/examine.ts';
import { ownId, reach } from '../../stages/reach.ts';
import { typing } from '../../support/typing.ts';
import { openScene, type Scene } from '../scene.ts';
import { minute } from '../service/promoted.ts';

interface Opening {
  readonly drain?: Partial<StackSettings['drain']>;
  readonly intercept?: Intercept;
  readonly managers?: number;
}

/** Opens a drain of a shard with one job of hours that ignores SIGTERM. */
async function draining({ drain = {}, intercept, managers = 1 }: Opening) {
  const stack = { ...stackSettings(), managers };
  const world = await reach('draining', { stack });
  world.stacks[0] = { ...stack, drain: { ...stack.drain, ...drain } };
  world.behaviour.killAllowed = true;
  const kills: unknown[] = [];
  const scene = openScene(world, (call) => {
    if (call.port === 'host' && call.method === 'kill') kills.push(call.args[0]);
    return intercept?.(call);
  });
  const job = Object.values(world.jobs).find(({ name }) => name === 'long build');
  if (job === undefined) throw new Error('pink has no job');
  Object.assign(job, { durationMs: 600 * minute, ignoresSigterm: true });
  return { world, scene, kills, job };
}

/** Ends every runner process of pink without a final update or a restart. */
function endProcesses(world: World): void {
  for (const host of hostsOf(world, world.stacks[0] as StackSettings, pink))
    Object.assign(host, { process: 'stopped', restarts: false });
}

const run = (world: World, minutes: number) => {
  return { deploymentId: ownId, deadline: world.now + minutes * minute };
};

describe('a job that ignores SIGTERM, on a shard whose jobs drain.force_after kills', () => {
  test('gets killed once and reported as lost according to GitLab', async () => {
    const { world, scene, kills, job } = await draining({ drain: { forceAfterMs: 5 * minute } });
    const ending = await scene.type('finalize', run(world, 30));
    expect(ending).toMatchObject({ kind: 'done', phase: 'done' });
    expect(kills).toHaveLength(1);
    const lines = ending.kind === 'done' ? ending.log : [];
    expect(lines.filter((line) => line.includes('Killed by drain.force_after'))).toHaveLength(1);
    const lost = `Lost: GitLab still lists job ${job.id} "long build" of`;
    expect(lines.filter((line) => line.includes(lost))).toHaveLength(1);
    expect(ending.kind === 'done' && ending.text).toContain(
      `job ${job.id} was lost: GitLab still listed it as running and will drop it`,
    );
    expect(ending.kind === 'done' && ending.text).not.toContain('was killed');
    // The limit passed before the job was killed, so the removal does not wait again.
    expect(lines.filter((line) => /GitLab decides until|so the drain waits/.test(line))).toEqual(
      [],
    );
    const drained = lines.findIndex((line) => line.includes('Drained pink'));
    expect(drained).toBeGreaterThan(0);
    expect(
      lines.slice(drained).filter((line) => line.includes('Waiting for pink to drain')),
    ).toEqual([]);
  });

  test('delays no later run without drain.force_after', async () => {
    const { world, scene, job } = await draining({ drain: { forceAfterMs: 5 * minute } });
    const first = await scene.type('shutdown', run(world, 30));
    expect(first).toMatchObject({ kind: 'done', phase: 'drained' });
    world.stacks[0] = { ...stackSettings(), drain: stackSettings().drain };
    const status = await scene.type('status');
    expect(status.kind === 'done' && status.text).not.toContain('Only GitLab lists');
    const codes = (await examine(world)).findings.map(({ code }) => code);
    expect(codes).not.toContain('drain_waits');
    const startedAt = world.now;
    const ending = await scene.type('finalize', run(world, 30));
    expect(ending).toMatchObject({ kind: 'done', phase: 'done' });
    expect(world.now - startedAt).toBeLessThan(2 * minute);
    const log = ending.kind === 'done' ? ending.log : [];
    expect(log.filter((line) => line.includes('Waiting for pink to drain'))).toEqual([]);
    expect(log.filter((line) => line.includes(`Lost: GitLab still lists job ${job.id}`))).toEqual(
      [],
    );
  });

  test('does not keep a later run from waiting for another job that GitLab lists', async () => {
    const { world, scene, job } = await draining({ drain: { forceAfterMs: 5 * minute } });
    await scene.type('shutdown', run(world, 30));
    world.stacks[0] = stackSettings();
    world.jobs['8'] = { ...job, id: '8', name: 'unseen build' };
    world.alive.push('8');
    const ending = await scene.type('finalize', run(world, 20));
    expect(ending).toMatchObject({ error: { code: 'StillDraining' } });
  });

  test('gets killed once if the response to the kill is lost', async () => {
    const { world, scene, kills } = await draining({
      drain: { forceAfterMs: 5 * minute },
      intercept: ({ port, method }) =>
        port === 'host' && method === 'kill' ? { kind: 'lost_answer' } : undefined,
    });
    expect(await scene.type('finalize', run(world, 30))).toMatchObject({ phase: 'done' });
    expect(kills).toHaveLength(1);
  });

  test('gets no kill if its runner process has ended before', async () => {
    const { world, scene, kills } = await draining({ drain: { forceAfterMs: 5 * minute } });
    endProcesses(world);
    expect(await scene.type('finalize', run(world, 30))).toMatchObject({ phase: 'done' });
    expect(kills).toEqual([]);
  });

  test('gets no kill on a host whose runner process has ended, only on the other hosts', async () => {
    const { world, scene, kills, job } = await draining({
      drain: { forceAfterMs: 5 * minute },
      managers: 2,
    });
    const hosts = hostsOf(world, world.stacks[0] as StackSettings, pink);
    const dead = hosts.find(({ id }) => id !== job.hostId);
    Object.assign(dead ?? {}, { process: 'stopped', restarts: false });
    expect(await scene.type('finalize', run(world, 30))).toMatchObject({ phase: 'done' });
    expect(kills).toEqual([job.hostId]);
  });
});

describe('a job that no host runs and whose usual end is far', () => {
  async function forgotten(drain: Partial<StackSettings['drain']>) {
    const all = await draining({ drain });
    const { world, job } = all;
    const startedAt = world.now - 60 * minute;
    const earlier = { id: '7', status: 'success', startedAt, durationMs: 40 * minute } as const;
    world.jobs['7'] = { ...job, ...earlier, finishedAt: startedAt + 40 * minute };
    for (const host of hostsOf(world, world.stacks[0] as StackSettings, pink)) host.jobs = [];
    return all;
  }

  test('counts as lost after drain.force_after, and no idle host gets a command', async () => {
    const { world, scene, job, kills } = await forgotten({ forceAfterMs: 4 * minute });
    const ending = await scene.type('finalize', run(world, 30));
    expect(ending).toMatchObject({ kind: 'done', phase: 'done' });
    expect(kills).toEqual([]);
    const lost = `Lost: GitLab still lists job ${job.id} "long build" of`;
    expect(ending).toMatchObject({ log: expect.arrayContaining([expect.stringContaining(lost)]) });
  });

  test('appears by name within the first minutes of the drain', async () => {
    const { world, scene } = await forgotten({});
    const ending = await scene.type('shutdown', run(world, 5));
    expect(ending).toMatchObject({ error: { code: 'StillDraining' } });
    const { why = [] } = ending.kind === 'error' ? ending.error.fields : {};
    expect(why[0]).toContain('but every host reports no job');
  });
});

describe('a drain that drain.force_after ends after the job has left the list of GitLab', () => {
  async function forced(hide: (world: World, scene: Scene, jobId: string) => void) {
    const { world, scene, job, kills } = await draining({ drain: { forceAfterMs: 20 * minute } });
    endProcesses(world);
    hide(world, scene, job.id);
    const ending = await scene.type('finalize', run(world, 40));
    expect(ending).toMatchObject({ kind: 'done', phase: 'done' });
    expect(kills).toEqual([]);
    const log = ending.kind === 'done' ? ending.log : [];
    return { job, told: log.filter((line) => line.includes('Unknown end')) };
  }
  const hideJob = (world: World, id: string) =>
    Object.assign(world.jobs[id] ?? {}, { visible: false });

  test('names the job and states that it was not seen to end', async () => {
    const { job, told: logged } = await forced((_, { simulation }, id) =>
      simulation.at(2 * minute, (world) => hideJob(world, id)),
    );
    expect(logged).toHaveLength(1);
    expect(logged[0]).toContain(
      `Unknown end: GitLab listed job ${job.id} "long build" of ${job.project} as running and no longer lists it`,
    );
  });

  test('names the job by the id that an earlier run has recorded', async () => {
    const { job, told: logged } = await forced((world, _, id) => hideJob(world, id));
    expect(logged).toHaveLength(1);
    expect(logged[0]).toContain(
      `Unknown end: GitLab listed job ${job.id} as running and no longer lists it.`,
    );
  });
});

describe('a job that GitLab lists after every runner process has ended', () => {
  test('delays the drain until GitLab drops it, with its name, the action and the time limit', async () => {
    const { world, scene, job, kills } = await draining({});
    endProcesses(world);
    const ending = await scene.type('shutdown', run(world, 20));
    expect(ending).toMatchObject({ error: { code: 'StillDraining' } });
    const { why = [], fix = [] } = ending.kind === 'error' ? ending.error.fields : {};
    expect(why[0]).toBe(
      `GitLab lists job ${job.id} "long build" as running, but every runner process has ended.`,
    );
    expect(fix[0]).toMatch(
      /^Cancel https:\S+ in GitLab, or wait: GitLab drops a job an hour after its last update\.$/,
    );
    expect(kills).toEqual([]);
  });

  test('appears in status and doctor with the action', async () => {
    const { world, scene, job } = await draining({});
    endProcesses(world);
    await scene.type('shutdown', run(world, 3));
    const act =
      /Cancel https:\S+ in GitLab, or wait: GitLab drops a job an hour after its last update/;
    const named = `Only GitLab lists job ${job.id} "long build"`;
    const status = await scene.type('status');
    expect(status).toMatchObject({ text: expect.stringContaining(named) });
    expect(status).toMatchObject({ text: expect.stringMatching(act) });
    const text = await renderFindings(await examine(world), {
      logs: false,
      typed: typing('doctor'),
    });
    expect(text).toContain('Only GitLab lists jobs of the old shard');
    expect(text.replaceAll(/\s+/g, ' ')).toMatch(act);
  });

  test('leads to no offer of a kill when drain.timeout has passed', async () => {
    const { world, scene } = await draining({ drain: { timeoutMs: 2 * minute } });
    endProcesses(world);
    const ending = await scene.type('shutdown', run(world, 20));
    expect(ending).toMatchObject({ error: { code: 'DrainTimedOut' } });
    const { fix = [] } = ending.kind === 'error' ? ending.error.fields : {};
    expect(fix[0]).toMatch(/^Cancel https:/);
    expect(fix[2]).toMatch(/^Or continue without waiting for these jobs: /);
  });
});
