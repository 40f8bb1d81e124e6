import { describe, expect, test } from '@jest/globals';
import {
  type CiJobResult,
  countJobs,
  findLate,
  judgeJob,
  type SubmittedJob,
} from '../../../sandbox/demo/count/count.ts';
import type { Marks } from '../../../sandbox/demo/count/marks.ts';
import { finishedJob } from './stories.ts';

const job: SubmittedJob = {
  number: 7,
  ciJobId: 900007,
  kind: 'short',
  stream: 'deployments',
  submittedAt: 1000,
};
const ran: Marks = { starts: 1, ends: 1, startedAt: 1500, endedAt: 2500 };
const begun: Marks = { starts: 1, ends: 0, startedAt: 1500 };
const resultOf = (status: string, failureReason: string | null = null): CiJobResult => ({
  ciServer: 'GitLab',
  status,
  failureReason,
});

interface Witnesses {
  marks?: Marks;
  word?: CiJobResult;
}

describe('the result of a demo job', () => {
  test.each<[string, Witnesses, string, string | undefined]>([
    ['both marks and success', { marks: ran, word: resultOf('success') }, 'finished', undefined],
    [
      'no mark, still pending',
      { word: resultOf('pending') },
      'lost',
      'it never ran; GitLab reports pending',
    ],
    [
      'no mark, and success',
      { word: resultOf('success') },
      'lost',
      'it never ran; GitLab reports success',
    ],
    ['no mark, and no source', {}, 'lost', 'it never ran; no source lists it'],
    [
      'started and failed',
      { marks: begun, word: resultOf('failed', 'runner_system_failure') },
      'interrupted',
      'it was stopped before its end; GitLab reports failed (runner_system_failure)',
    ],
    [
      'started and still running',
      { marks: begun, word: resultOf('running') },
      'interrupted',
      'it was stopped before its end; GitLab reports running',
    ],
    [
      'started, and success without an end',
      { marks: begun, word: resultOf('success') },
      'lost',
      'it never reached its end; GitLab reports success',
    ],
    [
      'ended, but GitLab lacks the result',
      { marks: ran, word: resultOf('failed', 'stuck_or_timeout_failure') },
      'lost',
      'it reached its end, but its result is lost; GitLab reports failed (stuck_or_timeout_failure)',
    ],
    [
      'started twice',
      { marks: { ...ran, starts: 2 }, word: resultOf('success') },
      'interrupted',
      'it was started 2 times; GitLab reports success',
    ],
  ])('comes from its marks and from GitLab: %s', (_, witnesses, verdict, reason) => {
    const result = judgeJob(job, { ...witnesses, now: 9000 });
    expect([result.verdict, result.reason]).toEqual([verdict, reason]);
  });

  test('its wait ends with its first line', () => {
    expect(judgeJob(job, { marks: ran, word: resultOf('success'), now: 9000 }).waitMs).toBe(500);
  });

  test('a job that never ran has waited until now', () => {
    expect(judgeJob(job, { word: resultOf('pending'), now: 9000 }).waitMs).toBe(8000);
  });

  test('a mark with a slightly earlier time of the file system causes no negative wait', () => {
    const early = { ...ran, startedAt: 996 };
    expect(judgeJob(job, { marks: early, word: resultOf('success'), now: 9000 }).waitMs).toBe(0);
  });
});

test('the count has each verdict, and the longest wait to a hundredth of a second', () => {
  const jobs = [
    finishedJob(),
    finishedJob({ verdict: 'lost', waitMs: 1234 }),
    finishedJob({ verdict: 'interrupted' }),
  ];
  expect(countJobs(jobs)).toEqual({
    submitted: 3,
    finished: 1,
    lost: 1,
    interrupted: 1,
    longestWaitSeconds: 1.23,
  });
});

test('the count of no jobs is empty', () => {
  expect(countJobs([])).toEqual({
    submitted: 0,
    finished: 0,
    lost: 0,
    interrupted: 0,
    longestWaitSeconds: 0,
  });
});

test('a job counts as late if its wait exceeds the control run’s longest wait and the allowance', () => {
  const jobs = [
    finishedJob({ stream: 'control', waitMs: 500 }),
    finishedJob({ waitMs: 1500 }),
    finishedJob({ number: 2, waitMs: 1501 }),
    finishedJob({ waitMs: 9000, stream: 'outage' }),
    finishedJob({ waitMs: 9000, tries: 2 }),
  ];
  const numbers = (lateMs: number) => findLate(jobs, () => lateMs).late.map(({ number }) => number);
  expect([numbers(1000), numbers(1001)]).toEqual([[2], []]);
});
