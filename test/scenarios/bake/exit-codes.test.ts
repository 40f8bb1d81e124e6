import { describe, expect, test } from '@jest/globals';
import { jobsAlone } from '../../fakes/bake-settings.ts';
import type { Call, Intercept } from '../../fakes/faults/fault-wrapper.ts';
import { absorb } from '../../fakes/invariants/checker.ts';
import { addPipeline } from '../../fakes/ports/pipelines-fake.ts';
import { submitJob } from '../../fakes/world/jobs.ts';
import { activeShard, hostsOf, registrationsOf } from '../../fakes/world/shards.ts';
import type { World } from '../../fakes/world/world.ts';
import { isCall, killAt } from '../../stages/reach.ts';
import { end, hang, hour, isOpen, minute, noteOf } from '../service/promoted.ts';
import { bad, breakJobs, openBaking, openDrained, pink, purple, stackOf } from './baked.ts';

const terminal = { ci: 'terminal', deploymentId: 't-1' } as const;

describe('a pipeline whose deployment was rolled back', () => {
  /** Opens a bake that rolled back from purple while a customer job still runs there. */
  async function openRolledBack() {
    const { scene, world } = await openBaking();
    await scene.type('shutdown');
    submitJob(world, {
      name: 'long build',
      tags: ['linux'],
      durationMs: 10 * hour,
      visible: true,
    });
    scene.simulation.at(10 * minute, () => breakJobs(world, purple, bad));
    await scene.type('bake');
    addPipeline(world, { deploymentId: '1-300', createdAt: world.now });
    return { scene, world };
  }

  test('fails while the rolled back shard drains, and another pipeline is only unfinished', async () => {
    const { scene, world } = await openRolledBack();
    const drive = () => ({ deadline: world.now + 30 * minute });
    const own = await scene.type('finalize', drive());
    expect(own).toMatchObject({
      kind: 'error',
      phase: 'draining',
      error: { code: 'TakenBack', exitCode: 1 },
    });
    expect(own.kind === 'error' && own.error.fields).toMatchObject({
      why: [
        expect.stringMatching(/^2 runner system failures in 2 jobs/),
        'The candidate is not completely removed: purple is still draining; this run stops now, before its CI job times out.',
      ],
      now: expect.stringContaining('pink accepts jobs'),
      fix: [
        'Check both shards: hosted-runner status --runner linux',
        'Finish the removal, unless a schedule does: hosted-runner finalize --runner linux',
        'Fix the cause, then start a new pipeline to deploy again.',
      ],
    });
    expect(await scene.type('finalize', { ...drive(), deploymentId: '1-300' })).toMatchObject({
      kind: 'error',
      error: { code: 'StillDraining', exitCode: 75 },
    });
    expect(world.violations).toEqual([]);
  });

  test('fails under a hold and beside another lock holder as well', async () => {
    const { scene, world } = await openRolledBack();
    let beside: Promise<unknown> | undefined;
    scene.simulation.at(1000, () => {
      beside = scene.type('finalize', { deadline: world.now + 30 * minute, deploymentId: '1-300' });
    });
    await scene.simulation.advance(minute);
    const locked = await scene.type('finalize');
    expect(locked).toMatchObject({ kind: 'error', error: { code: 'TakenBack', exitCode: 1 } });
    await scene.simulation.advance(hour);
    await beside;
    await scene.type('hold', { deploymentId: '1-250' });
    for (const stage of ['finalize', 'bake', 'prepare'] as const)
      expect(await scene.type(stage)).toMatchObject({
        kind: 'error',
        error: { code: 'TakenBack', exitCode: 1 },
      });
    expect(await scene.type('finalize', { deploymentId: '1-300' })).toMatchObject({
      kind: 'error',
      error: { code: 'Held', exitCode: 3 },
    });
  });
});

describe('two dead shards during a bake', () => {
  test.each([
    [
      'with signals that find nothing',
      { jobs: 20, signals: { ...jobsAlone, health: 'required', canary: 'required' } },
    ],
    ['with a hold for too little evidence', { onInconclusive: 'hold', onUnhealthy: 'hold' }],
  ] as const)('recover with one command, and none counts as healthy: %s', async (_, bake) => {
    const { scene, world } = await openDrained({ bake });
    scene.simulation.at(5 * minute, () => {
      end(world, pink);
      end(world, purple);
    });
    const lost = await scene.type('bake');
    expect(lost).toMatchObject({ kind: 'error', error: { code: 'ServiceLost' } });
    expect(lost.kind === 'error' && lost.error.fields.fix?.join('\n')).toContain(
      'recover --runner linux --although-nothing-serves',
    );
    const before = world.now;
    const ending = await scene.type('recover although', terminal);
    expect(ending).toMatchObject({ kind: 'done', phase: 'done' });
    expect(world.now - before).toBeLessThan(30 * minute);
    expect(ending.log.join('\n')).toContain(
      'Baked purple: inconclusive, it is not checked, because an operator confirmed that no shard accepts jobs.',
    );
    expect(activeShard(world, stackOf(world))).toBe(purple);
    expect(noteOf(world)).toBeDefined();
  });
});

describe('a bake whose shard was lost', () => {
  test('leads to finalize and does not succeed while no run checks the shard', async () => {
    const { scene, world } = await openDrained();
    scene.simulation.at(5 * minute, () => hang(world, purple));
    const lost = await scene.type('bake');
    expect(lost).toMatchObject({
      kind: 'error',
      phase: 'promoted',
      error: {
        code: 'ServiceLost',
        fields: {
          fix: [
            'Make pink active again: hosted-runner rollback --runner linux',
            'Or fix purple, then resume: hosted-runner finalize --runner linux',
          ],
        },
      },
    });
    expect(await scene.type('bake')).toMatchObject({
      kind: 'error',
      phase: 'promoted',
      error: {
        code: 'StageOutOfOrder',
        exitCode: 2,
        fields: {
          why: [
            'Pink is not drained; the deployment is in phase promoted; the run that drains also checks purple.',
          ],
          fix: ['First run: hosted-runner finalize --runner linux'],
        },
      },
    });
  });

  test('behaves the same after an unfinished drain', async () => {
    const { scene, world } = await openBaking({ longBuildMs: 5 * hour });
    const drained = await scene.type('shutdown', { deadline: world.now + 30 * minute });
    expect(drained).toMatchObject({ kind: 'error', error: { code: 'StillDraining' } });
    expect(await scene.type('bake')).toMatchObject({
      kind: 'error',
      phase: 'draining',
      error: { code: 'StageOutOfOrder' },
    });
    expect(await scene.type('finalize')).toMatchObject({ kind: 'done', phase: 'done' });
  });
});

describe('an old shard whose verification has failed', () => {
  /** Opens a bake in which purple's jobs fail and pink has begun to fail every job. */
  async function openBothBad(change: (world: World) => void = () => {}, intercept?: Intercept) {
    const { scene, world } = await openDrained(intercept === undefined ? {} : { intercept });
    scene.simulation.at(5 * minute, () => {
      for (const host of hostsOf(world, stackOf(world), pink)) host.boot = 'fails_jobs';
      breakJobs(world, purple, bad);
      change(world);
      absorb(world);
    });
    return { scene, world };
  }

  test('gets paused again while the new shard accepts jobs, and the error reports it', async () => {
    const { scene, world } = await openBothBad();
    const ending = await scene.type('bake');
    expect(ending).toMatchObject({
      kind: 'error',
      phase: 'promoting',
      error: { code: 'TakeBackUnproven', exitCode: 3 },
    });
    expect(ending.kind === 'error' && ending.error.fields.what).toBe(
      'Cannot roll back to pink: it is not verified that pink accepts jobs. Pink was paused again, because purple accepts jobs.',
    );
    expect([isOpen(world, pink), isOpen(world, purple)]).toEqual([false, true]);
    expect(activeShard(world, stackOf(world))).toBe(purple);
    for (const host of hostsOf(world, stackOf(world), pink)) host.boot = 'ok';
    absorb(world);
    expect(await scene.type('rollback', { deploymentId: '1-250' })).toMatchObject({ kind: 'done' });
    expect([isOpen(world, pink), activeShard(world, stackOf(world))]).toEqual([true, pink]);
    expect(world.violations).toEqual([]);
  });

  test('gets paused by the next run if the first run was killed while it decided on the pause', async () => {
    const seen: Call[] = [];
    const noted = await openBothBad(undefined, (call) => void seen.push(call));
    const id = registrationsOf(noted.world, stackOf(noted.world), pink)[0]?.id ?? '';
    await noted.scene.type('bake');
    const close = seen.findLastIndex(isCall('registry', 'setIntake', id));
    const reads = seen.slice(0, close).filter(isCall('registry', 'find', id));
    for (const { index } of reads.slice(-4)) {
      const { scene, world } = await openBothBad(
        undefined,
        killAt((call) => call.index === index),
      );
      expect((await scene.type('bake')).kind).toBe('killed');
      expect(await scene.type('bake')).toMatchObject({ error: { code: 'TakeBackUnproven' } });
      expect([isOpen(world, pink), isOpen(world, purple)]).toEqual([false, true]);
      expect(world.violations).toEqual([]);
    }
    expect(reads.length).toBeGreaterThan(3);
  });

  test('stays unpaused beside a shard that accepts no jobs', async () => {
    const { scene, world } = await openBothBad((changed) => end(changed, purple));
    const ending = await scene.type('bake');
    expect(ending).toMatchObject({ kind: 'error', error: { code: 'TakeBackUnproven' } });
    expect(ending.kind === 'error' && ending.error.fields.what).toBe(
      'Cannot roll back to pink: it is not verified that pink accepts jobs. Both shards stay as they are.',
    );
    expect(isOpen(world, pink)).toBe(true);
  });
});
