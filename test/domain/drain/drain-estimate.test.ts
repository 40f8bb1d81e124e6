import { describe, expect, test } from '@jest/globals';
import {
  describeEstimate,
  estimateDrain,
  usualEndOf,
} from '../../../src/domain/drain/drain-estimate.ts';
import type { FinishedJob, RegistryJob } from '../../../src/domain/registration.ts';

const minute = 60_000;
const now = Date.parse('2026-11-02T12:00:00.000Z');

/** `build` of acme/app, as it runs since so many minutes. */
function running(minutes: number, job: Partial<RegistryJob> = {}): RegistryJob {
  return {
    id: '1',
    name: 'build',
    status: 'running',
    project: 'acme/app',
    startedAt: new Date(now - minutes * minute).toISOString(),
    url: 'https://gitlab.example.com/acme/app/-/jobs/1',
    ...job,
  } as RegistryJob;
}

/** The same job, as it ran before. */
function took(minutes: number, job: Partial<FinishedJob> = {}): FinishedJob {
  return {
    id: '0',
    name: 'build',
    project: 'acme/app',
    status: 'success',
    durationMs: minutes * minute,
    ...job,
  } as FinishedJob;
}

const minutesLeft = (jobs: readonly RegistryJob[], finished: readonly FinishedJob[]) => {
  const estimate = estimateDrain(jobs, finished, now);
  return estimate && [estimate.restMs / minute, estimate.isWhole];
};

describe('the estimate of a drain', () => {
  test.each<[string, number, readonly number[], number]>([
    ['the median of an odd number', 2, [30, 5, 10], 8],
    ['the upper one of the two in the middle', 2, [4, 40, 10, 6], 8],
    ['the only one there is', 2, [10], 8],
    ['no mean: one that took a day does not count', 2, [10, 10, 1440], 8],
    ['past the median, the next longer one that was seen', 12, [5, 10, 15, 60], 3],
    ['past that one too, the longest', 20, [5, 10, 15, 60], 40],
    ['exactly as long as the median: it ends now', 10, [5, 10, 15], 0],
    ['a job that was only assigned has all of it before it', 0, [10, 10, 10], 10],
  ])('is %s', (_, age, before, left) => {
    const finished = before.map((minutes) => took(minutes));
    expect(minutesLeft([running(age)], finished)).toEqual([left, true]);
  });

  test('is not known of a job that takes longer than all before it', () => {
    expect(minutesLeft([running(61)], [took(5), took(60)])).toBe(undefined);
  });

  test('counts what succeeded under the same name in the same project, and nothing else', () => {
    const others = [
      took(1, { name: 'test' }),
      took(1, { project: 'acme/other' }),
      took(1, { status: 'failed' }),
    ];
    expect(minutesLeft([running(0)], others)).toBe(undefined);
    expect(minutesLeft([running(0)], [...others, took(10)])).toEqual([10, true]);
  });

  test('is that of the job that takes longest, and says whether all could be told of', () => {
    const finished = [took(10), took(30, { name: 'test' })];
    const both = [running(5), running(5, { id: '2', name: 'test' })];
    expect(minutesLeft(both, finished)).toEqual([25, true]);
    const unknown = running(5, { id: '3', name: 'deploy' });
    expect(minutesLeft([...both, unknown], finished)).toEqual([25, false]);
  });

  test('never counts a clock that is ahead against the job', () => {
    expect(minutesLeft([running(-5)], [took(10)])).toEqual([10, true]);
  });

  test.each([
    [undefined, 'how long is not known'],
    [{ restMs: 90_000, isWhole: true }, 'about 1m 30s to go'],
    [{ restMs: 90_000, isWhole: false }, 'at least 1m 30s to go'],
  ])('%j is told as: %s', (estimate, words) => {
    expect(describeEstimate(estimate)).toBe(words);
  });
});

describe('the time in which no end of a drain is expected', () => {
  const { startedAt: _, ...unstarted } = running(5);

  test.each<[string, readonly RegistryJob[], readonly FinishedJob[], number]>([
    ['lasts until the last fifth of the usual duration', [running(2)], [took(40)], 30],
    ['lasts until two minutes before the end of a short job', [running(1)], [took(5)], 2],
    ['is over in the last fifth', [running(33)], [took(40)], 0],
    ['is over once the usual duration has passed', [running(50)], [took(40), took(60)], 0],
    ['is none for a job that never ended there', [running(1)], [took(40, { name: 'test' })], 0],
    [
      'is that of the job which is expected to end last',
      [running(1), running(1, { name: 'test' }), running(1, { name: 'lint' })],
      [took(10), took(40, { name: 'test' })],
      31,
    ],
    ['is none without a job', [], [took(40)], 0],
  ])('%s', (_, jobs, finished, minutes) => {
    expect(usualEndOf(jobs, finished, now).quietMs / minute).toBeCloseTo(minutes);
  });

  test.each<[string, readonly RegistryJob[], number]>([
    ['of the job that ends last', [running(2), running(5, { name: 'test' })], 38],
    ['in the past', [running(50)], -10],
    ['of no job', [], Number.NEGATIVE_INFINITY],
    ['of a job that never ended there', [running(5, { name: 'lint' })], Number.NEGATIVE_INFINITY],
    ['of a job without a start', [unstarted], Number.NEGATIVE_INFINITY],
  ])('the usual end %s', (_, jobs, minutes) => {
    const finished = [took(40), took(20, { name: 'test' })];
    expect(usualEndOf(jobs, finished, now).inMs / minute).toBeCloseTo(minutes);
  });
});
