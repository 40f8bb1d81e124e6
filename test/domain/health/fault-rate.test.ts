import { describe, expect, test } from '@jest/globals';
import {
  baselineAfter,
  chanceOf,
  judgeCount,
  upperBound,
  usualRates,
} from '../../../src/domain/health/fault-rate.ts';

describe('the probability of at least so many failures', () => {
  test.each<[string, [number, number, number], number]>([
    ['no failure in ten jobs', [0, 10, 0.002], 1],
    ['one of ten', [1, 10, 0.1], 0.6513215599],
    ['three of ten, as in statistical tables', [3, 10, 0.2], 0.3222004736],
    ['two of nine at the usual baseline', [2, 9, 0.002], 1.4266203e-4],
    ['all jobs', [5, 5, 0.5], 0.03125],
    ['a number far below the expected one', [1, 10_000, 0.5], 1],
    ['a number far above the expected one, with a tiny result', [40, 100_000, 1e-5], 4.5873e-49],
  ])('matches the known value for %s', (_, [faults, jobs, rate], chance) => {
    expect(chanceOf(faults, jobs, rate) / chance).toBeCloseTo(1, 3);
  });

  test('equals zero for more failures than jobs', () => {
    expect(chanceOf(11, 10, 0.002)).toBe(0);
  });

  test('adds up to one with the probability of fewer failures', () => {
    for (const faults of [1, 2, 5, 20, 80]) {
      const fewer = chanceOf(200 - faults + 1, 200, 0.7);
      expect(chanceOf(faults, 200, 0.3) + fewer).toBeCloseTo(1, 12);
    }
  });
});

describe('the upper bound', () => {
  test.each([
    ['no failure in 100 jobs (1 minus the hundredth root of 0.05)', 0, 100, 1 - 0.05 ** 0.01],
    ['failures only', 3, 3, 1],
    ['no job', 0, 0, 1],
    ['one failure in ten jobs', 1, 10, 0.394163],
  ])('matches the known value for %s', (_, faults, jobs, bound) => {
    expect(upperBound(faults, jobs)).toBeCloseTo(bound, 6);
  });

  test('raises the baseline after a failure, and never lowers it', () => {
    expect(baselineAfter(usualRates, { faults: 1, jobs: 500 })).toBeCloseTo(0.009452, 5);
    expect(baselineAfter(usualRates, { faults: 1, jobs: 100_000 })).toBe(0.002);
  });

  test('keeps the baseline for a shard without a failure', () => {
    expect(baselineAfter(usualRates, { faults: 0, jobs: 100 })).toBe(0.002);
  });
});

describe('the verdict on a number of failures', () => {
  test.each([
    ['usual without a failure', 0, 3, 'usual'],
    ['open if the only job failed', 1, 1, 'open'],
    ['open with one in three', 1, 3, 'open'],
    ['usual with one in thirty', 1, 30, 'usual'],
    ['too many with two in nine', 2, 9, 'too_many'],
    ['open with two in ten', 2, 10, 'open'],
    ['usual with two in 200', 2, 200, 'usual'],
    ['too many with three in forty', 3, 40, 'too_many'],
  ])('counts as %s', (_, faults, jobs, verdict) => {
    expect(judgeCount({ faults, jobs }, usualRates)).toBe(verdict);
  });

  test('stays open however unlikely one failure is', () => {
    expect(judgeCount({ faults: 1, jobs: 1 }, { baseline: 1e-9, alpha: 0.5 })).toBe('open');
  });
});
