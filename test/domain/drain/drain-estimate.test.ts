import { describe, expect, test } from '@jest/globals';
import {
  describeEstimate,
  estimateDrain,
  usualEndOf,
} from '../../../src/domain/drain/drain-estimate.ts';
import type { FinishedJob, RegistryJob } from '../../../src/domain/registration.ts';

const minute = 60_000;
const now = Date.parse('2026-11-02T12:00:00.000Z');

/** Returns the job `build` of acme/app, which has run for `minutes` minutes. */
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

/** Returns an earlier run of the same job. */
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
    ['the higher of the two middle values', 2, [4, 40, 10, 6], 8],
    ['the only value', 2, [10], 8],
    ['no mean, because one job of a day does not count', 2, [10, 10, 1440], 8],
    ['the next longer value once the median has passed', 12, [5, 10, 15, 60], 3],
    ['the longest value once that has passed as well', 20, [5, 10, 15, 60], 40],
    ['zero at exactly the median', 10, [5, 10, 15], 0],
    ['the whole median for a job that is only assigned', 0, [10, 10, 10], 10],
  ])('uses past durations: %s', (_, age, before, left) => {
    const finished = before.map((minutes) => took(minutes));
    expect(minutesLeft([running(age)], finished)).toEqual([left, true]);
  });

  test('does not exist for a job that takes longer than all before it', () => {
    expect(minutesLeft([running(61)], [took(5), took(60)])).toBe(undefined);
  });

  test('counts only jobs that succeeded under the same name in the same project', () => {
    const others = [
      took(1, { name: 'test' }),
      took(1, { project: 'acme/other' }),
      took(1, { status: 'failed' }),
    ];
    expect(minutesLeft([running(0)], others)).toBe(undefined);
    expect(minutesLeft([running(0)], [...others, took(10)])).toEqual([10, true]);
  });

  test('follows the job that takes longest and reports whether it covers all jobs', () => {
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
    [undefined, 'remaining time unknown'],
    [{ restMs: 90_000, isWhole: true }, 'about 1m 30s remaining'],
    [{ restMs: 90_000, isWhole: false }, 'at least 1m 30s remaining'],
  ])('formats %j as: %s', (estimate, words) => {
    expect(describeEstimate(estimate)).toBe(words);
  });
});

describe('the time in which no end of a drain is expected', () => {
  const { startedAt: _, ...unstarted } = running(5);

  test.each<[string, readonly RegistryJob[], readonly FinishedJob[], number]>([
    ['lasts until the last fifth of the usual duration', [running(2)], [took(40)], 30],
    ['lasts until two minutes before the end of a short job', [running(1)], [took(5)], 2],
    ['has ended in the last fifth', [running(33)], [took(40)], 0],
    ['has ended once the usual duration has passed', [running(50)], [took(40), took(60)], 0],
    [
      'does not exist for a job that never finished there',
      [running(1)],
      [took(40, { name: 'test' })],
      0,
    ],
    [
      'follows the job that is expected to end last',
      [running(1), running(1, { name: 'test' }), running(1, { name: 'lint' })],
      [took(10), took(40, { name: 'test' })],
      31,
    ],
    ['does not exist without a job', [], [took(40)], 0],
  ])('%s', (_, jobs, finished, minutes) => {
    expect(usualEndOf(jobs, finished, now).quietMs / minute).toBeCloseTo(minutes);
  });

  test.each<[string, readonly RegistryJob[], number]>([
    ['follows the job that ends last', [running(2), running(5, { name: 'test' })], 38],
    ['may be in the past', [running(50)], -10],
    ['does not exist without a job', [], Number.NEGATIVE_INFINITY],
    [
      'does not exist for a job that never finished there',
      [running(5, { name: 'lint' })],
      Number.NEGATIVE_INFINITY,
    ],
    ['does not exist for a job without a start', [unstarted], Number.NEGATIVE_INFINITY],
  ])('the usual end %s', (_, jobs, minutes) => {
    const finished = [took(40), took(20, { name: 'test' })];
    expect(usualEndOf(jobs, finished, now).inMs / minute).toBeCloseTo(minutes);
  });
});
