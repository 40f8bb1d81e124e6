import { describe, expect, test } from '@jest/globals';
import { usualRates } from '../../src/domain/health/fault-rate.ts';
import { causesAmong, chancesOf, medianOf } from './exact.ts';
import { chancesAfter, createOwnRule, flagger, oneFault, threeInARow, uncounted } from './rules.ts';

const { baseline } = usualRates;
const jobs = (rate: number, bursts = false) => ({ rate, bursts });
const falseBacks = (rule: typeof oneFault, rate = baseline, bursts = false) =>
  chancesOf(rule, jobs(rate, bursts), 1000).at(-1) ?? 0;

describe('the check of runner system failures', () => {
  test('rolls back 0.094 % of good deployments of 1,000 jobs', () => {
    expect(falseBacks(createOwnRule()) * 100).toBeCloseTo(0.094, 3);
  });

  test.each([
    [0.2, 9],
    [0.05, 58],
  ])('detects failures in %d of the jobs within a median of %d', (rate, median) => {
    expect(medianOf(chancesOf(createOwnRule(), jobs(rate), 1000))).toBe(median);
  });

  test('counts a burst once; otherwise it would roll back one in eight good deployments', () => {
    expect(falseBacks(createOwnRule(), baseline, true)).toBeLessThan(0.0001);
    expect(falseBacks(uncounted(), baseline, true)).toBeCloseTo(0.118, 3);
  });

  test('corrects its baseline from the retiring shard’s failures', () => {
    expect(falseBacks(createOwnRule(), 0.01)).toBeCloseTo(0.66, 2);
    const after = chancesAfter({ known: 500, of: jobs(0.01) }, jobs(0.01), 1000);
    expect(after.at(-1)).toBeCloseTo(0.0045, 3);
  });
});

describe('other rules', () => {
  test('roll back too many deployments, or detect nothing', () => {
    expect(falseBacks(oneFault)).toBeCloseTo(1 - 0.998 ** 1000, 9);
    expect(falseBacks(oneFault, baseline) * 100).toBeGreaterThan(86);
    expect(falseBacks(flagger)).toBeCloseTo(0.0493, 3);
    expect(medianOf(chancesOf(threeInARow, jobs(0.05), 1000))).toBeUndefined();
  });
});

test('the probabilities of all outcomes add up to one', () => {
  const sum = causesAmong(jobs(0.01, true), 500).reduce((total, chance) => total + chance, 0);
  expect(sum).toBeCloseTo(1, 9);
  expect(chancesOf({ ...oneFault, after: () => '' }, jobs(0.2, true), 50).at(-1)).toBe(0);
});
