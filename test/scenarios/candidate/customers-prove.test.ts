import { describe, expect, test } from '@jest/globals';
import type { StackSettings } from '../../../src/domain/settings.ts';
import type { Shard } from '../../../src/domain/shard.ts';
import { pink, purple, stackSettings, worldWithActive } from '../../fakes/builders.ts';
import { submitJob } from '../../fakes/world/jobs.ts';
import { parametersOf, parameterValue, registrationsOf } from '../../fakes/world/shards.ts';
import type { World } from '../../fakes/world/world.ts';
import type { Ending } from '../../stages/drive.ts';
import { openScene, type Scene, withCustomers } from '../scene.ts';
import { candidateOf } from './causes.ts';

function observed(): World {
  const base = stackSettings({ canary: { kind: 'off' } });
  const { evidence } = base.healthcheck;
  const healthcheck = {
    ...base.healthcheck,
    evidence: { ...evidence, canary: 'off', observe: 'required' } as const,
    timeoutsMs: { observe: 600_000 },
    observeJobs: 3,
  };
  return worldWithActive(pink, { stacks: [{ ...base, healthcheck }] });
}

/** Returns a world with customer jobs as evidence beside a canary. */
function withObserve(observe: 'optional'): World {
  const stack = stackSettings();
  const evidence = { ...stack.healthcheck.evidence, observe };
  const healthcheck = { ...stack.healthcheck, evidence };
  return worldWithActive(pink, { stacks: [{ ...stack, healthcheck }] });
}

async function provision(scene: Scene): Promise<Ending> {
  for (const stage of ['prepare', 'onboard'] as const) await scene.type(stage);
  scene.story.length = 0;
  return scene.type('provision');
}

function stackOf(world: World): StackSettings {
  const [stack] = world.stacks;
  if (stack === undefined) throw new Error('the world has no stack');
  return stack;
}

function activeOf(world: World): string {
  return parameterValue(world, parametersOf(stackOf(world)).status) ?? '';
}

/** Ends several jobs on a shard at once, after the candidate got its production tags. */
function ended(scene: Scene, inMs: number, endings: readonly JobEnding[]): void {
  const { world } = scene;
  scene.simulation.at(inMs, () => {
    for (const { shard, project, failureReason } of endings) {
      const job = submitJob(world, { name: 'build', tags: ['nobody'], durationMs: 1000, project });
      Object.assign(job, {
        status: failureReason === undefined ? 'success' : 'failed',
        ...(failureReason === undefined ? {} : { failureReason }),
        registrationId: registrationsOf(world, stackOf(world), shard)[0]?.id,
        startedAt: world.now - 5000,
        finishedAt: world.now,
      });
    }
  });
}

interface JobEnding {
  readonly shard: Shard;
  readonly project: string;
  readonly failureReason?: string;
}

const good: JobEnding = { shard: purple, project: 'acme/shop' };
const fault: JobEnding = { ...good, failureReason: 'runner_system_failure' };
const whyOf = (ending: Ending) => ending.kind === 'error' && ending.error.fields.why?.join(' ');

describe('customer jobs as evidence if no canary can run', () => {
  test('prove the candidate between its production tags and the switch', async () => {
    const scene = openScene(withCustomers(observed()));
    expect(await provision(scene)).toMatchObject({ kind: 'done', phase: 'promoted' });
    const printed = scene.story.filter((line) => /^ {2}(?:Gave|Observed|Switched)/.test(line));
    expect(printed).toEqual([
      '  Gave runner 48214 the tag linux.',
      '  Observed purple under customer jobs: 3 of 3 customer jobs have finished on the candidate.',
      '  Switched: purple is active (version 2 of the parameter deployment_status).',
    ]);
    for (const stage of ['shutdown', 'cleanup'] as const) await scene.type(stage);
    expect(await scene.rest()).toEqual([]);
  });

  test('cause a retreat if the runner fails them, and pink accepts jobs', async () => {
    const world = withCustomers(observed());
    world.behaviour.boots['purple-linux'] = ['fails_jobs'];
    const scene = openScene(world);
    expect(await provision(scene)).toMatchObject({
      kind: 'error',
      phase: 'prepared',
      error: { code: 'Retreated', exitCode: 1 },
    });
    expect(activeOf(world)).toContain('"active_shard":"pink"');
  });

  test('give no verdict if there are none: both shards accept jobs, and the next run observes again', async () => {
    const world = observed();
    const scene = openScene(world);
    expect(await provision(scene)).toMatchObject({
      kind: 'error',
      phase: 'promoting',
      error: { code: 'HealthInconclusive' },
    });
    expect(activeOf(world)).toContain('"active_shard":"pink"');
    withCustomers(world);
    expect(await scene.type('provision')).toMatchObject({ kind: 'done', phase: 'promoted' });
  });

  test('do not count if they ended before', async () => {
    const world = observed();
    const scene = openScene(world);
    for (const stage of ['prepare', 'onboard', 'provision --until healthy'] as const)
      await scene.type(stage);
    const { registration } = candidateOf(world);
    for (let count = 0; count < 5; count += 1) {
      const job = submitJob(world, { name: `old ${count}`, tags: ['nobody'], durationMs: 1000 });
      Object.assign(job, { status: 'success', registrationId: registration?.id });
    }
    expect(await scene.type('promote')).toMatchObject({ error: { code: 'HealthInconclusive' } });
  });

  test('give no verdict with one runner system failure, however many jobs were required', async () => {
    const scene = openScene(observed());
    ended(scene, 90_000, [fault, good, good, good]);
    const ending = await provision(scene);
    expect(ending).toMatchObject({ phase: 'promoting', error: { code: 'HealthInconclusive' } });
    expect(whyOf(ending)).toMatch(
      /^4 of 3 customer jobs have finished on the candidate; 1 runner system failure in 4 jobs, /,
    );
  });

  test('prove the candidate with one failure in thirty jobs', async () => {
    const scene = openScene(observed());
    ended(scene, 90_000, [fault, ...Array.from({ length: 29 }, () => good)]);
    expect(await provision(scene)).toMatchObject({ kind: 'done', phase: 'promoted' });
  });

  test('cause a retreat if they fail for two customers minutes apart', async () => {
    const scene = openScene(observed());
    ended(scene, 90_000, [fault, good]);
    ended(scene, 240_000, [{ ...fault, project: 'acme/web' }]);
    expect(await provision(scene)).toMatchObject({ error: { code: 'Retreated' } });
  });

  test('give no verdict if they fail on both shards at the same time', async () => {
    const scene = openScene(observed());
    ended(scene, 90_000, [fault, { ...fault, shard: pink }]);
    ended(scene, 240_000, [{ ...fault, project: 'acme/web' }]);
    const ending = await provision(scene);
    expect(ending).toMatchObject({ phase: 'promoting', error: { code: 'HealthInconclusive' } });
    expect(whyOf(ending)).toContain(
      'the other shard had failures at that time, or lacked the same evidence',
    );
  });

  test('give no verdict if they cannot be listed', async () => {
    const scene = openScene(withCustomers(observed()), ({ method, index }) =>
      method === 'readJobHistory' && index > 0 && candidateIsProduction(scene.world)
        ? { kind: 'error_before', failure: 'denied', status: 403 }
        : undefined,
    );
    expect(await provision(scene)).toMatchObject({ error: { code: 'HealthInconclusive' } });
  });

  test('appear in the log alone if they are optional', async () => {
    const scene = openScene(withObserve('optional'));
    const ending = await provision(scene);
    expect(ending.log).toContain(
      'Continued without evidence from customer jobs, which is optional: 0 of 3 customer jobs have finished on the candidate.',
    );
    expect(ending).toMatchObject({ kind: 'done', phase: 'promoted' });
  });

  test('do not block the promotion if they are optional and cannot be listed', async () => {
    const scene = openScene(withObserve('optional'), ({ method }) =>
      method === 'readJobHistory'
        ? { kind: 'error_before', failure: 'refused', status: 404 }
        : undefined,
    );
    const ending = await provision(scene);
    expect(ending).toMatchObject({ kind: 'done', phase: 'promoted' });
    expect(ending.log.join('\n')).toContain('the customer jobs cannot be listed');
  });
});

function candidateIsProduction(world: World): boolean {
  return candidateOf(world).registration?.tags.includes('linux') === true;
}
