import { describe, expect, test } from '@jest/globals';
import {
  baselineAfter,
  chanceOf,
  judgeCount,
  upperBound,
  usualRates,
} from '../../../src/domain/health/fault-rate.ts';

describe('the chance of so many faults or more', () => {
  test.each<[string, [number, number, number], number]>([
    ['none is certain', [0, 10, 0.002], 1],
    ['one of ten', [1, 10, 0.1], 0.6513215599],
    ['three of ten, as tables have it', [3, 10, 0.2], 0.3222004736],
    ['two of nine at the usual baseline', [2, 9, 0.002], 1.4266203e-4],
    ['all of them', [5, 5, 0.5], 0.03125],
    ['far below what is expected', [1, 10_000, 0.5], 1],
    ['far beyond, where a difference from one is nothing', [40, 100_000, 1e-5], 4.5873e-49],
  ])('%s', (_, [faults, jobs, rate], chance) => {
    expect(chanceOf(faults, jobs, rate) / chance).toBeCloseTo(1, 3);
  });

  test('is none for more than there are jobs', () => {
    expect(chanceOf(11, 10, 0.002)).toBe(0);
  });

  test('and of fewer make one together', () => {
    for (const faults of [1, 2, 5, 20, 80]) {
      const fewer = chanceOf(200 - faults + 1, 200, 0.7);
      expect(chanceOf(faults, 200, 0.3) + fewer).toBeCloseTo(1, 12);
    }
  });
});

describe('the upper bound', () => {
  test.each([
    ['of none in 100 is 1 minus the hundredth root of 0.05', 0, 100, 1 - 0.05 ** 0.01],
    ['of all is 1', 3, 3, 1],
    ['of no job is 1', 0, 0, 1],
    ['of one in ten', 1, 10, 0.394163],
  ])('%s', (_, faults, jobs, bound) => {
    expect(upperBound(faults, jobs)).toBeCloseTo(bound, 6);
  });

  test('raises the baseline after a fault, and never lowers it', () => {
    expect(baselineAfter(usualRates, { faults: 1, jobs: 500 })).toBeCloseTo(0.009452, 5);
    expect(baselineAfter(usualRates, { faults: 1, jobs: 100_000 })).toBe(0.002);
  });

  test('says nothing of a shard without a fault', () => {
    expect(baselineAfter(usualRates, { faults: 0, jobs: 100 })).toBe(0.002);
  });
});

describe('a count is', () => {
  test.each([
    ['usual without a fault', 0, 3, 'usual'],
    ['open with the only job broken: one fault is no row', 1, 1, 'open'],
    ['open with one in three', 1, 3, 'open'],
    ['usual with one in thirty', 1, 30, 'usual'],
    ['too many with two in nine', 2, 9, 'too_many'],
    ['open with two in ten', 2, 10, 'open'],
    ['usual with two in 200', 2, 200, 'usual'],
    ['too many with three in forty', 3, 40, 'too_many'],
  ])('%s', (_, faults, jobs, verdict) => {
    expect(judgeCount({ faults, jobs }, usualRates)).toBe(verdict);
  });

  test('open however unlikely one fault is', () => {
    expect(judgeCount({ faults: 1, jobs: 1 }, { baseline: 1e-9, alpha: 0.5 })).toBe('open');
  });
});
