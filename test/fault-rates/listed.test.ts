import { describe, expect, test } from '@jest/globals';
import { usualRates } from '../../src/domain/health/fault-rate.ts';
import { chancesOf } from './exact.ts';
import { backsWithin, isRolledBackAt, newestHundred, verdictAt, withTotals } from './listed.ts';
import { createOwnRule } from './rules.ts';

const exact = (jobs: number) =>
  chancesOf(createOwnRule(), { rate: usualRates.baseline, bursts: false }, jobs).at(-1) ?? 0;

describe('a cut job list that is read once a minute', () => {
  test.each([1000, 3000])(
    'rolls back no more good shards of %d jobs than the whole list',
    (jobs) => {
      const shards = 10_000;
      const most = exact(jobs) + 3 * Math.sqrt(exact(jobs) / shards);
      expect(backsWithin(jobs, { listing: withTotals, shards })).toBeLessThan(most);
    },
  );

  test('would roll back ten times as many if each hundred counted as the first', () => {
    const listing = newestHundred;
    expect(backsWithin(1000, { listing, shards: 5000 })).toBeGreaterThan(10 * exact(1000));
  });

  test.each([
    [[500, 506], 597],
    [[500, 506], 1600],
    [[3, 9], 12],
    [[900, 902, 904, 906, 908, 910, 912, 914, 916, 918, 920, 922], 1200],
    [[90, 92, 94, 96, 98, 100, 102, 104, 106, 108, 110, 112], 1200],
    [[1500, 1502, 1504, 1506, 1508, 1510, 1512, 1514, 1516, 1518, 1520, 1522], 1530],
  ])('gives the expected verdict on failures at %j after %d jobs', (faults, now) => {
    expect(verdictAt(faults, now).kind === 'unhealthy').toBe(isRolledBackAt(faults, now));
  });
});
