import { describe, expect, test } from '@jest/globals';
import type { DrainObservation } from '../../../src/domain/drain/drain-check.ts';
import { jobOf } from '../samples.ts';
import {
  gone,
  idleHost,
  pollAt,
  stoppedHost,
  unresponsiveHost,
  verdictOf,
  workingHost,
} from './drain-observations.ts';

describe('the two sources of a drain', () => {
  test('must agree twice, one poll of the runner apart', () => {
    expect(verdictOf(pollAt(0))).toEqual({
      kind: 'confirming',
      reason: 'GitLab and every host report no job; another check must confirm it',
      forMs: 10_000,
      neededMs: 10_000,
    });
    expect(verdictOf(pollAt(0), pollAt(9.9))).toMatchObject({ kind: 'confirming', forMs: 100 });
    expect(verdictOf(pollAt(0), pollAt(10))).toEqual({
      kind: 'drained',
      reason: 'GitLab and every host report no job (for 10s)',
      lost: [],
    });
  });

  test.each<[string, Partial<DrainObservation>]>([
    ['a job in GitLab', { jobs: [jobOf()] }],
    ['a job on the host', { hosts: [{ kind: 'jobs', host: 'i-1', count: 1 }] }],
    ['a host that did not respond', { hosts: [unresponsiveHost] }],
    ['an unpaused runner', { registration: { kind: 'seen', paused: false, execution: 'idle' } }],
  ])('begin their confirmation again after %s', (_, between) => {
    expect(verdictOf(pollAt(0), pollAt(5, between), pollAt(10)).kind).toBe('confirming');
  });
});

describe('a runner that had several requests open when it was paused', () => {
  const oneJob = { jobs: [jobOf()], hosts: [{ kind: 'jobs', host: 'i-1', count: 1 }] } as const;
  const another = { jobs: [jobOf({ id: '10' })] };

  test('counts as idle one whole poll after the last of their jobs has ended', () => {
    const polls = [pollAt(0), pollAt(4, oneJob), pollAt(9), pollAt(13, another), pollAt(18)];
    expect(verdictOf(...polls)).toMatchObject({ kind: 'confirming', forMs: 10_000 });
    expect(verdictOf(...polls, pollAt(27.9)).kind).toBe('confirming');
    expect(verdictOf(...polls, pollAt(28)).kind).toBe('drained');
  });

  test('counts as busy while GitLab has assigned a job that the host does not list yet', () => {
    const polls = [pollAt(0), pollAt(9, { ...another, hosts: [idleHost] })];
    expect(verdictOf(...polls)).toMatchObject({ kind: 'busy' });
  });
});

test('counts as idle by the report of its hosts if GitLab no longer has it', () => {
  const deleted = { registration: gone };
  const report = 'every host reports no job, and GitLab no longer has the runner';
  expect(verdictOf(pollAt(0, deleted))).toMatchObject({
    kind: 'confirming',
    reason: `${report}; another check must confirm it`,
    neededMs: 10_000,
  });
  expect(verdictOf(pollAt(0, deleted), pollAt(10, deleted))).toMatchObject({
    kind: 'drained',
    reason: `${report} (for 10s)`,
  });
});

describe('a busy shard', () => {
  test.each<[string, Partial<DrainObservation>, string]>([
    ['a job runs', { jobs: [jobOf()], hosts: [workingHost] }, 'job 9 "build" is running'],
    [
      'a job is canceling',
      { jobs: [jobOf({ status: 'canceling' })], hosts: [workingHost] },
      'job 9 "build" is canceling',
    ],
    [
      'a job is assigned and not acknowledged',
      { jobs: [jobOf({ status: 'assigned' }), jobOf({ id: '10' })] },
      'job 9 "build" and 1 more are assigned or running',
    ],
    [
      'GitLab hides the job and calls the runner active',
      { registration: { kind: 'seen', paused: true, execution: 'active' }, hosts: [workingHost] },
      'GitLab reports that the runner runs a job that this token cannot see',
    ],
    [
      'only the host reports its jobs',
      { hosts: [{ kind: 'jobs', host: 'i-1', count: 2 }] },
      'host i-1 reports 2 jobs',
    ],
  ])('counts as busy while %s', (_, seen, reason) => {
    const polls = [0, 600].map((at) => pollAt(at, seen));
    expect(verdictOf(...polls)).toMatchObject({ kind: 'busy', reason });
  });
});

describe('a shard without a runner and without a host in Systems Manager', () => {
  const nothing = { registration: gone, hosts: [], noHostListed: true } as const;

  test('counts as drained after the confirmation period', () => {
    expect(verdictOf(pollAt(0, nothing), pollAt(179, nothing))).toEqual({
      kind: 'confirming',
      reason: 'no runner exists, and Systems Manager lists no host; another check must confirm it',
      forMs: 1000,
      neededMs: 180_000,
    });
    expect(verdictOf(pollAt(0, nothing), pollAt(180, nothing))).toEqual({
      kind: 'drained',
      reason: 'no runner exists, and Systems Manager lists no host (for 180s)',
      lost: [],
    });
  });

  test.each<[string, Partial<DrainObservation>]>([
    ['a host without a response', { registration: gone, hosts: [unresponsiveHost] }],
    ['a runner that existed', { hosts: [], noHostListed: true }],
  ])('begins its confirmation again after %s', (_, between) => {
    const polls = [pollAt(0, nothing), pollAt(100, between), pollAt(180, nothing)];
    expect(verdictOf(...polls).kind).toBe('confirming');
  });

  test('never counts as drained if hosts cannot be listed', () => {
    const unknown = { registration: gone, hosts: [] };
    expect(verdictOf(pollAt(0, unknown), pollAt(9999, unknown)).kind).toBe('blind');
  });
});

describe('the verdict of a single check', () => {
  test('counts a shard as drained if every process has ended and no job is left', () => {
    expect(verdictOf(pollAt(0, { hosts: [stoppedHost] }))).toEqual({
      kind: 'drained',
      reason: 'every runner process has ended and no job is left',
      lost: [],
    });
  });

  test('counts a shard as drained if no host exists, and lists its jobs in GitLab as lost', () => {
    const job = jobOf();
    expect(verdictOf(pollAt(0, { hosts: [], hostsGone: true, jobs: [job] }))).toEqual({
      kind: 'drained',
      reason: 'no host of the shard exists',
      lost: [job],
    });
  });

  test('waits for a job that no host took only until it should be back in its queue', () => {
    const job = jobOf({ status: 'assigned' });
    const gone = { hosts: [], hostsGone: true, jobs: [job] };
    expect(verdictOf(pollAt(0, gone))).toEqual({
      kind: 'busy',
      reason:
        'no host of the shard exists, and job 9 "build", which no host took, returns to its queue',
      jobs: [job],
    });
    expect(verdictOf(pollAt(0, gone), pollAt(179, gone)).kind).toBe('busy');
    expect(verdictOf(pollAt(0, gone), pollAt(180, gone))).toMatchObject({
      kind: 'drained',
      lost: [job],
    });
    const without = { ...gone, registration: { kind: 'gone' } } as const;
    expect(verdictOf(pollAt(0, without))).toMatchObject({ kind: 'drained', lost: [job] });
  });

  test('counts a shard as reopened if it was unpaused, even without a host', () => {
    const open = { kind: 'seen', paused: false, execution: 'idle' } as const;
    expect(verdictOf(pollAt(0, { registration: open, hostsGone: true }))).toEqual({
      kind: 'reopened',
      reason: 'the runner is not paused',
    });
  });

  test('waits while one of several processes has not ended', () => {
    expect(verdictOf(pollAt(0, { hosts: [stoppedHost, idleHost] })).kind).toBe('confirming');
  });

  test('waits before the first check', () => {
    expect(verdictOf()).toEqual({
      kind: 'confirming',
      reason: 'not checked yet',
      forMs: 180_000,
      neededMs: 180_000,
    });
  });
});

test('counts a shard with a deleted runner as drained by the report of its hosts', () => {
  const polls = [0, 10].map((at) => pollAt(at, { registration: gone }));
  expect(verdictOf(...polls).kind).toBe('drained');
});
