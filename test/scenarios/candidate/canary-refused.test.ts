import { describe, expect, test } from '@jest/globals';
import type { Call, Fault } from '../../fakes/faults/fault-wrapper.ts';
import { cancelJob } from '../../fakes/world/jobs.ts';
import type { Cause } from './causes.ts';
import { expectUntouched, provisionedUnder } from './provisioned-under.ts';

/** The pipeline's own canary was cancelled, and GitLab lets this token start no other one. */
const cause: Cause = {
  code: 'canary_not_startable',
  spoil: ({ world }) => {
    world.behaviour.canaryStart = 'denied';
    for (const job of Object.values(world.jobs))
      if (job.kind === 'canary' && job.finishedAt === undefined) cancelJob(world, job);
  },
  fix: ({ world }) => {
    world.behaviour.canaryStart = 'allowed';
  },
  isFixed: true,
};

const isRead = ({ port, effect }: Call) => ['host', 'registry', 'canary'].includes(port) && !effect;

describe('a canary that cannot be started', () => {
  test('counts for nothing, and the error at the deadline names the job to press', async () => {
    const { scene, world, code } = await provisionedUnder(cause);
    expect(code).toBe('HealthInconclusive');
    expect(scene.story).toEqual(
      expect.arrayContaining([
        '    why  The canary cannot be queried: GitLab POST /projects/:id/jobs/:job_id/retry: 403 Forbidden; press Retry on hosted_runner_canary of pipeline 1-200.',
        '    fix  Press Retry on hosted_runner_canary of pipeline 1-200.',
        '         When the cause is fixed: hosted-runner provision --runner linux',
      ]),
    );
    expectUntouched(world);
  });

  test('starts as soon as the permission exists', async () => {
    const { code } = await provisionedUnder(cause, { overAfterMs: 300_000 });
    expect(code).toBe('done');
  });

  test.each<[string, Fault]>([
    ['missing', { kind: 'error_before', failure: 'unreachable' }],
    ['late by twenty seconds each', { kind: 'delay', beforeMs: 20_000 }],
    ['throttled', { kind: 'error_before', failure: 'throttled' }],
  ])('keeps the verdict open if responses are %s', async (_, fault) => {
    const { world, code } = await provisionedUnder(cause, {
      also: (call) => (isRead(call) ? fault : undefined),
    });
    expect(code).toBe('HealthInconclusive');
    expectUntouched(world);
  });

  test('keeps the verdict open if responses are outdated', async () => {
    let stale = 0;
    const { world, code } = await provisionedUnder(cause, {
      also: (call) => {
        if (!isRead(call) || stale >= 20) return undefined;
        stale += 1;
        return { kind: 'stale' };
      },
    });
    expect(code).toBe('HealthInconclusive');
    expectUntouched(world);
  });
});
