import { describe, expect, test } from '@jest/globals';
import { gitlabTerms } from '../../../src/adapters/gitlab/gitlab-terms.ts';
import type { CanaryJob } from '../../../src/domain/health/canary-job.ts';
import {
  type CanaryFacts,
  hasCanaryBegun,
  judgeCanary,
} from '../../../src/domain/health/canary-verdict.ts';

/** Canary that succeeded on the candidate's manager 702, which the last apply created. */
const right: CanaryJob = {
  id: '900',
  status: 'success',
  createdAt: '2026-11-02T08:00:00.000Z',
  startedAt: '2026-11-02T08:10:00.000Z',
  finishedAt: '2026-11-02T08:10:10.000Z',
  registrationId: '48214',
  workerId: 702,
  systemId: 's_1',
  url: 'https://gitlab.example.com/platform/runners/-/jobs/900',
};

function verdictOf(job: Partial<CanaryJob> | undefined, facts: Partial<CanaryFacts> = {}) {
  return judgeCanary({
    job: job === undefined ? undefined : ({ ...right, ...job } as CanaryJob),
    registrationId: '48214',
    workers: [702],
    canaryAtApply: { id: '900', started: false },
    words: gitlabTerms,
    ...facts,
  });
}

/** Returns a job without fields that GitLab omitted. */
function without(...fields: readonly (keyof CanaryJob)[]): Partial<CanaryJob> {
  return Object.fromEntries(fields.map((field) => [field, undefined]));
}

describe('a canary that proves the candidate', () => {
  test('ran on the candidate, on a manager that counts, after the last apply', () => {
    expect(verdictOf({})).toEqual({
      kind: 'proof',
      workerId: 702,
      reason: 'canary job 900 succeeded on manager 702',
    });
  });

  test('waited when the apply ended, or was started later', () => {
    expect(verdictOf({ id: '901' }, { canaryAtApply: { id: '900', started: true } }).kind).toBe(
      'proof',
    );
    expect(verdictOf({}, { canaryAtApply: undefined }).kind).toBe('proof');
  });
});

test('a canary has begun once a runner had it, but not while it waits to be started manually', () => {
  const begun = (job: Partial<CanaryJob>) => hasCanaryBegun({ ...right, ...job } as CanaryJob);
  const never = without('startedAt');
  expect(begun({ status: 'waiting', ...never })).toBe(false);
  expect(begun({ status: 'canceled', ...never })).toBe(false);
  expect(begun({ status: 'canceled' })).toBe(true);
  expect(begun({ status: 'running' })).toBe(true);
  // An unknown start counts as a start, because an older success is no evidence.
  expect(begun({ status: 'unknown', ...never })).toBe(true);
  expect(begun({ status: 'success', ...never })).toBe(true);
});

describe('a canary without proof', () => {
  test.each<[string, Partial<CanaryJob>, Partial<CanaryFacts>, [string, string]]>([
    [
      'that ran on the old shard',
      { registrationId: '48213', workerId: 701 },
      {},
      ['start', 'canary job 900 ran on runner 48213, not on 48214'],
    ],
    [
      'that ran on the old shard, by a manager with the same number',
      { registrationId: '48213' },
      {},
      ['start', 'canary job 900 ran on runner 48213, not on 48214'],
    ],
    [
      'that had started before the last apply',
      {},
      { canaryAtApply: { id: '900', started: true } },
      ['start', 'canary job 900 started before the last apply'],
    ],
    [
      'that is older than the one at the last apply',
      { id: '899' },
      {},
      ['start', 'canary job 899 started before the last apply'],
    ],
    [
      'that ran on another manager',
      { workerId: 700 },
      {},
      ['start', 'canary job 900 ran on manager 700, which does not belong to this apply'],
    ],
    [
      'whose manager is unknown',
      without('workerId'),
      {},
      ['start', 'canary job 900 succeeded, but GitLab does not report on which manager'],
    ],
    [
      'whose runner is unknown',
      without('registrationId', 'workerId'),
      {},
      ['start', 'canary job 900 ended as success, but GitLab does not report on which runner'],
    ],
    [
      'of another stack, which ran on the runner of that stack',
      { registrationId: '50000', workerId: 702 },
      {},
      ['start', 'canary job 900 ran on runner 50000, not on 48214'],
    ],
    ['that was cancelled', { status: 'canceled' }, {}, ['start', 'canary job 900 was cancelled']],
    [
      'that was never started',
      { status: 'canceled', failureReason: 'manual' },
      {},
      ['start', 'canary job 900 waits to be started manually'],
    ],
    [
      'that no runner picked up',
      { status: 'waiting', ...without('registrationId', 'workerId', 'startedAt') },
      {},
      ['wait', 'canary job 900 waits for a runner'],
    ],
    ['that still runs', { status: 'running' }, {}, ['wait', 'canary job 900 is running']],
    [
      'that is being cancelled',
      { status: 'canceling' },
      {},
      ['wait', 'canary job 900 is canceling'],
    ],
    [
      'that has run since before the last apply',
      { status: 'running' },
      { canaryAtApply: { id: '900', started: true } },
      ['wait', 'canary job 900 started before the last apply and still runs'],
    ],
    [
      'whose status is unknown',
      { status: 'unknown' },
      {},
      ['wait', 'canary job 900 has an unknown status'],
    ],
    [
      'that failed on the candidate',
      { status: 'failed', failureReason: 'runner_system_failure' },
      {},
      ['failed', 'canary job 900 failed on the candidate: runner_system_failure'],
    ],
    [
      'that failed elsewhere',
      { status: 'failed', registrationId: '48213' },
      {},
      ['start', 'canary job 900 ran on runner 48213, not on 48214'],
    ],
    [
      'without a manager that counts',
      {},
      { workers: [] },
      ['start', 'canary job 900 ran on manager 702, which does not belong to this apply'],
    ],
  ])('proves nothing: a canary %s', (_, job, facts, [kind, reason]) => {
    expect(verdictOf(job, facts)).toEqual({ kind, reason });
  });

  test('proves nothing if it does not exist', () => {
    expect(verdictOf(undefined)).toEqual({ kind: 'start', reason: 'there was no canary job yet' });
  });
});
