import { describe, expect, test } from '@jest/globals';
import { resultJson } from '../../../sandbox/demo/count/result.ts';
import type { Slowness } from '../../../sandbox/demo/count/slowness.ts';
import { countStreams, findProblems, type Outcome } from '../../../sandbox/demo/final.ts';
import { problemsOf } from '../../../sandbox/demo/story.ts';
import { finishedJob, smallRun, smallStory } from './stories.ts';

const good: Outcome = { jobs: [finishedJob()], final: smallStory().final, gapMs: 0, failures: [] };
const { final } = good;

describe('the result of a demo run', () => {
  test('counts as good if no job was harmed and nothing is left over', () => {
    expect(findProblems(good)).toEqual([]);
  });

  test.each<[string, Partial<Outcome>, string]>([
    [
      'a scenario that failed',
      { failures: ['Recovery: no next command was printed.'] },
      'Recovery: no next command was printed.',
    ],
    [
      'a lost job',
      { jobs: [finishedJob({ verdict: 'lost', reason: 'it never ran; GitLab says pending' })] },
      'Job 1 was lost: it never ran; GitLab says pending.',
    ],
    [
      'an interrupted job of the control run',
      {
        jobs: [
          finishedJob({ stream: 'control', verdict: 'interrupted', reason: 'it was stopped' }),
        ],
      },
      'Job 1 was interrupted: it was stopped.',
    ],
    ['a gap', { gapMs: 50 }, 'No shard accepted customer jobs for 50 ms.'],
    [
      'two shards alive',
      { final: { ...final, aliveShards: ['pink', 'purple'] } },
      'Existing shards: pink, purple; active shard: purple.',
    ],
    [
      'the wrong shard alive',
      { final: { ...final, aliveShards: ['pink'], tokenShards: [] } },
      'Existing shards: pink; active shard: purple.',
    ],
    [
      'no shard at all',
      { final: { ...final, aliveShards: [], tokenShards: [] } },
      'Existing shards: none; active shard: purple.',
    ],
    ['one runner too many', { final: { ...final, runners: 2 } }, 'There are 2 runners, not 1.'],
    [
      'the token of a dead shard',
      { final: { ...final, tokenShards: ['pink', 'purple'] } },
      'The token of pink exists, but the shard does not.',
    ],
    ['a lock', { final: { ...final, locks: 1 } }, 'A lock was left behind.'],
    [
      'an unfinished record',
      { final: { ...final, recordPhase: 'draining' } },
      'The record is in phase draining, not done.',
    ],
  ])('reports %s', (_, change, problem) => {
    expect(findProblems({ ...good, ...change })).toEqual([problem]);
  });
});

test('the control run has a separate count', () => {
  const jobs = [finishedJob(), finishedJob({ stream: 'control', waitMs: 900 })];
  const { deployments, control } = countStreams(jobs);
  expect([deployments.submitted, deployments.longestWaitSeconds]).toEqual([1, 0.4]);
  expect([control.submitted, control.longestWaitSeconds]).toEqual([1, 0.9]);
});

test('a job during an outage is counted with the others, and its wait separately', () => {
  const jobs = [finishedJob(), finishedJob({ stream: 'outage', waitMs: 6000 })];
  const { deployments, outage } = countStreams(jobs);
  expect([deployments.submitted, deployments.longestWaitSeconds]).toEqual([2, 0.4]);
  expect([outage.submitted, outage.longestWaitSeconds]).toEqual([1, 6]);
});

describe('the result of a demo run with several stacks', () => {
  const control = finishedJob({ stream: 'control', waitMs: 500 });

  test('names the stack that has a problem', () => {
    const stories = [smallStory(), smallStory({ problems: ['A lock was left behind.'] })];
    expect(problemsOf({ ...smallRun(), stories })).toEqual(['Stack 2: A lock was left behind.']);
  });

  test('counts as bad if a job was late compared with the control run of another stack', () => {
    const late = finishedJob({ number: 7, waitMs: 1511 });
    const stories = [smallStory({ jobs: [control] }), smallStory({ jobs: [late] })];
    expect(problemsOf({ ...smallRun(), stories })).toEqual([
      'Job short-7 was late: it waited 1.51s; in the control run, no job waited more than 0.5s.',
    ]);
  });

  test('names the five latest jobs and counts the others', () => {
    const late = Array.from({ length: 12 }, (_, at) =>
      finishedJob({ number: at + 1, waitMs: 3000 + 1000 * at }),
    );
    const stories = [smallStory({ jobs: [control, ...late] })];
    const lateLine = (number: number, seconds: number) =>
      `Job short-${number} was late: it waited ${seconds}s; in the control run, no job waited more than 0.5s.`;
    expect(problemsOf({ ...smallRun(), stories })).toEqual([
      ...[12, 11, 10, 9, 8].map((number) => lateLine(number, number + 2)),
      'And 7 more jobs were late.',
    ]);
  });

  const submittedAt = 60_000;
  const problemsOfJob = (waitMs: number, slowness: Partial<Slowness>, factor = 1) => {
    const stories = [smallStory({ jobs: [control, finishedJob({ submittedAt, waitMs })] })];
    return problemsOf({
      ...smallRun(),
      stories,
      factor,
      slowness: { starts: [], stalls: [], ...slowness },
    }).length;
  };

  test('reports no late job if the computer is slow', () => {
    expect(problemsOfJob(3500, {}, 3)).toBe(0);
    expect(problemsOfJob(3501, {}, 3)).toBe(1);
  });

  test.each([
    ['no late job if it waited around a slow start', 54_000, 55_000, 0],
    ['a late job if it waited long after a slow start', 53_000, 54_999, 1],
    ['a late job if it waited long before a slow start', 68_401, 69_000, 1],
  ])('reports %s', (_, from, to, late) => {
    expect(problemsOfJob(3400, { starts: [{ from, to, factor: 3 }] })).toBe(late);
  });

  test.each([
    ['no late job for the time in which the computer stood still', 60_100, 62_100, 0],
    ['a late job if the computer stood still before its submission', 58_000, 60_000, 1],
  ])('reports %s', (_, from, to, late) => {
    expect(problemsOfJob(3400, { stalls: [{ from, to }] })).toBe(late);
  });
});

test('the JSON has exactly this shape', () => {
  expect(JSON.parse(resultJson(smallRun()))).toEqual({
    deployments: [
      { id: 'terminal-1', candidate: 'purple', outcome: 'done', seconds: 30, overlap_seconds: 0.5 },
    ],
    jobs: {
      submitted: 1,
      finished: 1,
      lost: 0,
      interrupted: 0,
      late: 0,
      longest_wait_seconds: 0.4,
      control_longest_wait_seconds: 0,
    },
    final: [
      {
        active_shard: 'purple',
        shards_alive: 1,
        runner_records: 1,
        tokens: 1,
        locks: 0,
        record_phase: 'done',
      },
    ],
  });
});
