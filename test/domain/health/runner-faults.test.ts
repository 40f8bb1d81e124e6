import { describe, expect, test } from '@jest/globals';
import { usualRates } from '../../../src/domain/health/fault-rate.ts';
import { isRunnersFault, judgeFaults } from '../../../src/domain/health/runner-faults.ts';
import type { FinishedJob } from '../../../src/domain/registration.ts';

const noon = Date.parse('2026-11-02T12:00:00.000Z');
let id = 0;

/** One that ended so many minutes after noon. */
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

const judged = (
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

/** So that other projects are known to be served as well. */
const before = [good(-60), good(-50, 'acme/web')];

describe('a shard is unhealthy', () => {
  test('with two faults of two projects, minutes apart, in nine jobs', () => {
    const jobs = [broken(0), ...[1, 2, 3, 4, 5, 6, 7].map((at) => good(at)), broken(8, 'acme/web')];
    const { kind, reason } = judged(jobs, { before });
    expect(kind).toBe('unhealthy');
    expect(reason).toBe(
      `2 faults of the runner in 9 jobs, such as job ${jobs[0]?.id} "build" (runner_system_failure); one that fails 0.2 % of its jobs does that once in 7010 times`,
    );
  });

  test('also if it was so only for a while, between two looks', () => {
    const jobs = [
      broken(0),
      broken(2, 'acme/web'),
      ...Array.from({ length: 200 }, (_, at) => good(at + 3)),
    ];
    expect(judged(jobs, { before }).kind).toBe('unhealthy');
  });

  test('however the jobs are listed', () => {
    const jobs = [broken(2, 'acme/web'), good(40), broken(0), good(30)];
    expect(judged(jobs, { before }).kind).toBe('unhealthy');
    expect(judged([...jobs].reverse(), { before }).kind).toBe('unhealthy');
  });

  test('with two jobs of the only project that it serves', () => {
    const jobs = [broken(0), broken(2, 'acme/shop', 'test')];
    expect(judged(jobs, { before: [good(-60)] }).kind).toBe('unhealthy');
  });

  test('with one job of a project again and again, which succeeded here in between', () => {
    const jobs = [broken(0), good(1), broken(2), broken(4), broken(6, 'acme/web')];
    expect(judged(jobs, { before }).kind).toBe('unhealthy');
  });
});

describe('nothing is held against a shard', () => {
  test.each<[string, FinishedJob[], RegExp]>([
    ['after one fault', [broken(0)], /^1 fault of the runner in 1 job, .*all of one project/],
    [
      'for faults of one minute',
      [broken(0), broken(0.5, 'acme/web'), broken(0.9, 'acme/web', 'test')],
      /^1 fault of the runner in 3 jobs, .*; too few to tell from chance$/,
    ],
    [
      'for one mistyped image, however often it is tried again',
      [broken(0), broken(2), broken(4), broken(6)],
      /^1 fault of the runner in 4 jobs, .*all of one project, whose own fault it may be$/,
    ],
    [
      'for a project whose every job has that image',
      ['build', 'test', 'lint'].map((name, at) => broken(at * 2, 'acme/shop', name)),
      /^3 faults .*all of one project, whose own fault it may be$/,
    ],
    [
      'for one mistyped image that another project’s fault joins',
      [
        broken(0),
        broken(2),
        broken(4),
        ...Array.from({ length: 9 }, () => good(5, 'acme/web')),
        broken(6, 'acme/web'),
      ],
      /^2 faults of the runner in 13 jobs, .*; too few to tell from chance$/,
    ],
    [
      'where nobody knows when they ended',
      [broken(0), broken(2, 'acme/web')].map(({ startedAt: _, ...rest }) => rest),
      /^1 fault of the runner in 2 jobs/,
    ],
  ])('%s', (_, jobs, reason) => {
    const verdict = judged(jobs, { before });
    expect(verdict.kind).toBe('inconclusive');
    expect(verdict.reason).toMatch(reason);
  });

  test('if the other shard’s jobs fail at the same time', () => {
    const jobs = [broken(0), broken(2, 'acme/web'), broken(4, 'acme/web', 'test')];
    const verdict = judged(jobs, { before, elsewhere: [good(1), broken(3)] });
    expect(verdict.kind).toBe('inconclusive');
    expect(verdict.reason).toMatch(/the other shard had faults at that time, or lacked the same$/);
  });

  test('but what it breaks hours later is its own', () => {
    const jobs = [broken(0), broken(2, 'acme/web')];
    expect(judged(jobs, { before, elsewhere: [broken(-300)] }).kind).toBe('unhealthy');
  });

  test('nor for it, if the old one was no better', () => {
    const worn = Array.from({ length: 50 }, (_, at) =>
      at % 10 === 0 ? broken(-at, 'acme/web', `test ${at}`) : good(-at),
    );
    const verdict = judged([broken(0), good(1), broken(2, 'acme/web')], { before: worn });
    expect(verdict.kind).toBe('inconclusive');
    expect(verdict.reason).toMatch(/no more than the old shard had, and too many for a good one$/);
  });

  test.each([1, 2, 3])(
    'nor for it, if all of them fail and the old one had failed 1 of %i',
    (had) => {
      const past = [broken(-90), good(-80), good(-70, 'acme/web')].slice(0, had);
      const jobs = Array.from({ length: 20 }, (_, at) => broken(at * 2, `acme/${at}`));
      expect(judged(jobs, { before: past }).kind).not.toBe('usual');
    },
  );

  test('if the old one had had as few of many', () => {
    const past = Array.from({ length: 100 }, (_, at) =>
      at === 50 ? broken(-at, 'acme/web') : good(-at),
    );
    const jobs = [broken(0), ...Array.from({ length: 8 }, (_, at) => good(at + 1))];
    expect(judged(jobs, { before: past }).kind).toBe('usual');
    expect(judged(jobs, { before }).kind).toBe('inconclusive');
  });

  test('as long as scripts fail, and not the runner', () => {
    const jobs = [0, 2, 4].map((at) => job(at, `acme/${at}`, 'test', 'script_failure'));
    expect(judged(jobs)).toEqual({
      kind: 'usual',
      reason: 'no fault of the runner in 3 jobs',
    });
  });
});

test('one fault is as usual once thirty jobs have ended', () => {
  const jobs = [broken(0), ...Array.from({ length: 29 }, (_, at) => good(at))];
  expect(judged(jobs, { before }).kind).toBe('usual');
});

test('without a job there is nothing to judge', () => {
  expect(judged([])).toEqual({ kind: 'usual', reason: 'no job' });
});

test.each([
  ['runner_system_failure', true],
  ['runner_unsupported', true],
  ['runner_interrupted', true],
  ['stuck_or_timeout_failure', true],
  ['job_execution_timeout', false],
  ['unknown_failure', false],
  [undefined, false],
])('a failure by %s: the runner’s is %s', (reason, isIt) => {
  expect(
    isRunnersFault({ ...good(0), status: 'failed', ...(reason ? { failureReason: reason } : {}) }),
  ).toBe(isIt);
});

describe('a list that does not begin with the first job', () => {
  const jobs = [broken(0), ...[1, 2, 3].map((at) => good(at)), broken(5, 'acme/web')];

  test('is judged with all that came before, as the whole list is', () => {
    expect(judged(jobs, { before }).kind).toBe('unhealthy');
    const late = judged(jobs, { before, unlisted: 500 });
    expect(late.kind).toBe('usual');
    expect(late.reason).toContain('2 faults of the runner in 505 jobs');
  });

  test('is still enough for a shard that turns bad late', () => {
    const bad = [0, 2, 4, 6, 8, 10, 12, 14, 16, 18].map((at) =>
      broken(at, `acme/${at % 3}`, `build ${at}`),
    );
    expect(judged(bad, { before, unlisted: 500 }).kind).toBe('unhealthy');
  });

  test('takes nothing back where nobody counts what came before, and makes no bad one healthy', () => {
    const { kind, reason } = judged(jobs, { before, unlisted: 'unknown' });
    expect(kind).toBe('inconclusive');
    expect(reason).toMatch(/and so many before them that nobody counts them$/);
  });
});
