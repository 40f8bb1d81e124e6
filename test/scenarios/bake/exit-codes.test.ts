import { describe, expect, test } from '@jest/globals';
import { jobsAlone } from '../../fakes/bake-settings.ts';
import type { Call, Intercept } from '../../fakes/faults/fault-wrapper.ts';
import { absorb } from '../../fakes/invariants/checker.ts';
import { addPipeline } from '../../fakes/ports/pipelines-fake.ts';
import { submitJob } from '../../fakes/world/jobs.ts';
import { activeShard, hostsOf, registrationsOf } from '../../fakes/world/serving.ts';
import type { World } from '../../fakes/world/world.ts';
import { isCall, killAt } from '../../stages/reach.ts';
import { end, hang, hour, isOpen, minute, noteOf } from '../service/promoted.ts';
import { bad, breakJobs, openBaking, openDrained, pink, purple, stackOf } from './baked.ts';

const terminal = { ci: 'terminal', deploymentId: 't-1' } as const;

describe('a pipeline whose deployment was taken back', () => {
  /** Purple is bad, taken back, and a job of a customer still runs there. */
  async function openTakenBack() {
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

  test('is red while its loser still drains, and another one is only not finished', async () => {
    const { scene, world } = await openTakenBack();
    const drive = () => ({ deadline: world.now + 30 * minute });
    const own = await scene.type('finalize', drive());
    expect(own).toMatchObject({
      kind: 'error',
      phase: 'draining',
      error: { code: 'TakenBack', exitCode: 1 },
    });
    expect(own.kind === 'error' && own.error.fields).toMatchObject({
      why: [
        expect.stringMatching(/^2 faults of the runner in 2 jobs/),
        'Its retirement is not over: purple is still draining; this run ends before its job does.',
      ],
      now: expect.stringContaining('pink serves jobs'),
      fix: [
        'Look at both shards: hosted-runner status --runner linux',
        'Retire what is left of it, where no schedule does: hosted-runner finalize --runner linux',
        'Mend what was wrong, then start a new pipeline to deploy again.',
      ],
    });
    expect(await scene.type('finalize', { ...drive(), deploymentId: '1-300' })).toMatchObject({
      kind: 'error',
      error: { code: 'StillDraining', exitCode: 75 },
    });
    expect(world.violations).toEqual([]);
  });

  test('is red under a hold and beside another owner of the lock, too', async () => {
    const { scene, world } = await openTakenBack();
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

describe('two shards that are both dead in a bake', () => {
  test.each([
    [
      'with signals that find nothing',
      { jobs: 20, signals: { ...jobsAlone, health: 'required', canary: 'required' } },
    ],
    ['where a person is asked of too little', { onInconclusive: 'hold', onUnhealthy: 'hold' }],
  ] as const)(
    'are recovered from in one go, and nothing is called healthy: %s',
    async (_, bake) => {
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
        'Baked purple: inconclusive, nobody watches it, as a person has said that no shard serves.',
      );
      expect(activeShard(world, stackOf(world))).toBe(purple);
      expect(noteOf(world)).toBeDefined();
    },
  );
});

describe('a bake whose shard was lost', () => {
  test('leads to finalize, and is no success as long as nobody watches', async () => {
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
            'Go back to pink: hosted-runner rollback --runner linux',
            'Or mend purple, which is looked at anew: hosted-runner finalize --runner linux',
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
            'Pink is not drained, the deployment is promoted; purple is watched by whoever drains it.',
          ],
          fix: ['Run first: hosted-runner finalize --runner linux'],
        },
      },
    });
  });

  test('says the same after a drain that was not over', async () => {
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

describe('an old shard whose proof has failed', () => {
  /** Purple is bad under its jobs, and pink has come to fail every job. */
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

  test('is closed again while the other one serves, which is said', async () => {
    const { scene, world } = await openBothBad();
    const ending = await scene.type('bake');
    expect(ending).toMatchObject({
      kind: 'error',
      phase: 'promoting',
      error: { code: 'TakeBackUnproven', exitCode: 3 },
    });
    expect(ending.kind === 'error' && ending.error.fields.what).toBe(
      'Purple was to be taken back, and pink is not proven to serve: it is closed again, as purple serves.',
    );
    expect([isOpen(world, pink), isOpen(world, purple)]).toEqual([false, true]);
    expect(activeShard(world, stackOf(world))).toBe(purple);
    for (const host of hostsOf(world, stackOf(world), pink)) host.boot = 'ok';
    absorb(world);
    expect(await scene.type('rollback', { deploymentId: '1-250' })).toMatchObject({ kind: 'done' });
    expect([isOpen(world, pink), activeShard(world, stackOf(world))]).toEqual([true, pink]);
    expect(world.violations).toEqual([]);
  });

  test('is closed by the next run where one was killed as it looked whether to close it', async () => {
    const seen: Call[] = [];
    const noted = await openBothBad(undefined, (call) => void seen.push(call));
    const id = registrationsOf(noted.world, stackOf(noted.world), pink)[0]?.id ?? '';
    await noted.scene.type('bake');
    const close = seen.findLastIndex(isCall('registry', 'setIntake', id));
    const asked = seen.slice(0, close).filter(isCall('registry', 'find', id));
    for (const { index } of asked.slice(-4)) {
      const { scene, world } = await openBothBad(
        undefined,
        killAt((call) => call.index === index),
      );
      expect((await scene.type('bake')).kind).toBe('killed');
      expect(await scene.type('bake')).toMatchObject({ error: { code: 'TakeBackUnproven' } });
      expect([isOpen(world, pink), isOpen(world, purple)]).toEqual([false, true]);
      expect(world.violations).toEqual([]);
    }
    expect(asked.length).toBeGreaterThan(3);
  });

  test('stays open beside one that does not serve', async () => {
    const { scene, world } = await openBothBad((changed) => end(changed, purple));
    const ending = await scene.type('bake');
    expect(ending).toMatchObject({ kind: 'error', error: { code: 'TakeBackUnproven' } });
    expect(ending.kind === 'error' && ending.error.fields.what).toBe(
      'Purple was to be taken back, and pink is not proven to serve: both stay as they are.',
    );
    expect(isOpen(world, pink)).toBe(true);
  });
});
