import { describe, expect, test } from '@jest/globals';
import { usualRates } from '../../../src/domain/health/fault-rate.ts';
import { isRunnersFault, judgeFaults } from '../../../src/domain/health/runner-faults.ts';
import type { FinishedJob } from '../../../src/domain/registration.ts';

const noon = Date.parse('2026-11-02T12:00:00.000Z');
let id = 0;

/** Returns a job that ended `minute` minutes after noon. */
function job(minute: number, project: string, name: string, reason?: string): FinishedJob {
  id += 1;
  return {
    id: String(id),
    name,
    project,
    status: reason === undefined ? 'success' : 'failed',
    ...(reason === undefined ? {} : { failureReason: reason }),
    startedAt: new Date(noon + minute * 60_000 - 5000).toISOString(),
    durationMs: 5000,
    url: '',
  };
}

const good = (minute: number, project = 'acme/shop') => job(minute, project, 'build');
const broken = (minute: number, project = 'acme/shop', name = 'build') =>
  job(minute, project, name, 'runner_system_failure');

const verdictOf = (
  jobs: readonly FinishedJob[],
  {
    elsewhere = [],
    before = [],
    unlisted = 0,
    outages = [],
  }: {
    elsewhere?: readonly FinishedJob[];
    before?: readonly FinishedJob[];
    unlisted?: number | 'unknown';
    outages?: readonly number[];
  } = {},
) => judgeFaults({ jobs, unlisted, elsewhere, outages, before, rates: usualRates });

/** These jobs confirm that other projects get jobs too. */
const before = [good(-60), good(-50, 'acme/web')];

describe('an unhealthy shard', () => {
  test('follows from two failures in two projects, minutes apart, in nine jobs', () => {
    const jobs = [broken(0), ...[1, 2, 3, 4, 5, 6, 7].map((at) => good(at)), broken(8, 'acme/web')];
    const { kind, reason } = verdictOf(jobs, { before });
    expect(kind).toBe('unhealthy');
    expect(reason).toBe(
      `2 runner system failures in 9 jobs, for example job ${jobs[0]?.id} "build" (runner_system_failure); at the baseline failure rate of 0.2 %, this happens once in 7010 cases`,
    );
  });

  test('follows even if the failures were too many for a while between two checks', () => {
    const jobs = [
      broken(0),
      broken(2, 'acme/web'),
      ...Array.from({ length: 200 }, (_, at) => good(at + 3)),
    ];
    expect(verdictOf(jobs, { before }).kind).toBe('unhealthy');
  });

  test('follows in any order of the listed jobs', () => {
    const jobs = [broken(2, 'acme/web'), good(40), broken(0), good(30)];
    expect(verdictOf(jobs, { before }).kind).toBe('unhealthy');
    expect(verdictOf([...jobs].reverse(), { before }).kind).toBe('unhealthy');
  });

  test('follows from two jobs of its only project', () => {
    const jobs = [broken(0), broken(2, 'acme/shop', 'test')];
    expect(verdictOf(jobs, { before: [good(-60)] }).kind).toBe('unhealthy');
  });

  test('follows from one job that fails again and again although it succeeded here in between', () => {
    const jobs = [broken(0), good(1), broken(2), broken(4), broken(6, 'acme/web')];
    expect(verdictOf(jobs, { before }).kind).toBe('unhealthy');
  });
});

describe('a shard without enough failures for a verdict', () => {
  test.each<[string, FinishedJob[], RegExp]>([
    ['after one failure', [broken(0)], /^1 runner system failure in 1 job, .*all of one project/],
    [
      'after several failures within a minute',
      [broken(0), broken(0.5, 'acme/web'), broken(0.9, 'acme/web', 'test')],
      /^1 runner system failure in 3 jobs, .*; too few to exclude chance$/,
    ],
    [
      'after one mistyped image, however often it is tried again',
      [broken(0), broken(2), broken(4), broken(6)],
      /^1 runner system failure in 4 jobs, .*all of one project, which may be the cause itself$/,
    ],
    [
      'after one project whose every job has the same image',
      ['build', 'test', 'lint'].map((name, at) => broken(at * 2, 'acme/shop', name)),
      /^3 runner system failures .*all of one project, which may be the cause itself$/,
    ],
    [
      'after one mistyped image and a failure of another project',
      [
        broken(0),
        broken(2),
        broken(4),
        ...Array.from({ length: 9 }, () => good(5, 'acme/web')),
        broken(6, 'acme/web'),
      ],
      /^2 runner system failures in 13 jobs, .*; too few to exclude chance$/,
    ],
    [
      'after failures without an end time',
      [broken(0), broken(2, 'acme/web')].map(({ startedAt: _, ...rest }) => rest),
      /^1 runner system failure in 2 jobs/,
    ],
  ])('stays inconclusive %s', (_, jobs, reason) => {
    const verdict = verdictOf(jobs, { before });
    expect(verdict.kind).toBe('inconclusive');
    expect(verdict.reason).toMatch(reason);
  });

  test('stays inconclusive if the jobs of the other shard fail at the same time', () => {
    const jobs = [broken(0), broken(2, 'acme/web'), broken(4, 'acme/web', 'test')];
    const verdict = verdictOf(jobs, { before, elsewhere: [good(1), broken(3)] });
    expect(verdict.kind).toBe('inconclusive');
    expect(verdict.reason).toMatch(
      /the other shard had failures at that time, or lacked the same evidence$/,
    );
  });

  test('becomes unhealthy by failures hours after those of the other shard', () => {
    const jobs = [broken(0), broken(2, 'acme/web')];
    expect(verdictOf(jobs, { before, elsewhere: [broken(-300)] }).kind).toBe('unhealthy');
  });

  test('stays inconclusive if the old shard was no better', () => {
    const worn = Array.from({ length: 50 }, (_, at) =>
      at % 10 === 0 ? broken(-at, 'acme/web', `test ${at}`) : good(-at),
    );
    const verdict = verdictOf([broken(0), good(1), broken(2, 'acme/web')], { before: worn });
    expect(verdict.kind).toBe('inconclusive');
    expect(verdict.reason).toMatch(
      /no more than the old shard had, but too many for a good shard$/,
    );
  });

  test.each([1, 2, 3])(
    'never counts as usual if all its jobs fail and the old shard had failed 1 of %i',
    (had) => {
      const past = [broken(-90), good(-80), good(-70, 'acme/web')].slice(0, had);
      const jobs = Array.from({ length: 20 }, (_, at) => broken(at * 2, `acme/${at}`));
      expect(verdictOf(jobs, { before: past }).kind).not.toBe('usual');
    },
  );

  test('counts as usual if the old shard had as few failures in many jobs', () => {
    const past = Array.from({ length: 100 }, (_, at) =>
      at === 50 ? broken(-at, 'acme/web') : good(-at),
    );
    const jobs = [broken(0), ...Array.from({ length: 8 }, (_, at) => good(at + 1))];
    expect(verdictOf(jobs, { before: past }).kind).toBe('usual');
    expect(verdictOf(jobs, { before }).kind).toBe('inconclusive');
  });

  test('counts as usual if scripts fail, not the runner', () => {
    const jobs = [0, 2, 4].map((at) => job(at, `acme/${at}`, 'test', 'script_failure'));
    expect(verdictOf(jobs)).toEqual({
      kind: 'usual',
      reason: 'no runner system failure in 3 jobs',
    });
  });
});

test('counts as usual with one failure in thirty jobs', () => {
  const jobs = [broken(0), ...Array.from({ length: 29 }, (_, at) => good(at))];
  expect(verdictOf(jobs, { before }).kind).toBe('usual');
});

test('counts as usual without a job', () => {
  expect(verdictOf([])).toEqual({ kind: 'usual', reason: 'no job' });
});

test.each([
  ['runner_system_failure', true],
  ['runner_unsupported', true],
  ['runner_interrupted', true],
  ['stuck_or_timeout_failure', true],
  ['job_execution_timeout', false],
  ['unknown_failure', false],
  [undefined, false],
])('a failure by %s counts as a runner system failure: %s', (reason, isIt) => {
  expect(
    isRunnersFault({ ...good(0), status: 'failed', ...(reason ? { failureReason: reason } : {}) }),
  ).toBe(isIt);
});

describe('a list that does not begin with the first job', () => {
  const jobs = [broken(0), ...[1, 2, 3].map((at) => good(at)), broken(5, 'acme/web')];

  test('counts with all earlier jobs, as the whole list does', () => {
    expect(verdictOf(jobs, { before }).kind).toBe('unhealthy');
    const late = verdictOf(jobs, { before, unlisted: 500 });
    expect(late.kind).toBe('usual');
    expect(late.reason).toContain('2 runner system failures in 505 jobs');
  });

  test('suffices for a shard that turns bad late', () => {
    const bad = [0, 2, 4, 6, 8, 10, 12, 14, 16, 18].map((at) =>
      broken(at, `acme/${at % 3}`, `build ${at}`),
    );
    expect(verdictOf(bad, { before, unlisted: 500 }).kind).toBe('unhealthy');
  });

  test('causes no rollback if the earlier jobs cannot be counted, and makes no bad shard healthy', () => {
    const { kind, reason } = verdictOf(jobs, { before, unlisted: 'unknown' });
    expect(kind).toBe('inconclusive');
    expect(reason).toMatch(/more jobs ran before than can be counted$/);
  });
});
