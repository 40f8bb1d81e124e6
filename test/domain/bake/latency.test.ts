import { describe, expect, test } from '@jest/globals';
import { latencyOf, pollOf } from '../../../src/domain/bake/latency.ts';
import { checksToKeep } from '../../../src/stages/steps/bake/bake-judge.ts';
import { usualBake } from '../../fakes/bake-settings.ts';

const minute = 60_000;
const query = { query: 'errors', url: 'https://p.example.com', above: 1, use: 'required' } as const;

test('the bake finds runner system failures at the next check and a bad signal in three', () => {
  expect(latencyOf({ ...usualBake, pollMs: minute })).toEqual({
    faultsMs: minute,
    signalsMs: 3 * minute,
  });
});

test('waiting jobs have to exceed the limit in three checks', () => {
  const signals = { ...usualBake.signals, starvationMs: 60 * minute };
  expect(latencyOf({ ...usualBake, pollMs: minute, signals })).toEqual({
    faultsMs: minute,
    signalsMs: 3 * minute,
    waitingMs: 63 * minute,
  });
});

test('a query that has to be bad for longer is the slowest', () => {
  const signals = { ...usualBake.signals, prometheus: [{ ...query, forMs: 5 * minute }] };
  expect(latencyOf({ ...usualBake, pollMs: minute, signals }).signalsMs).toBe(6 * minute);
  const short = { ...usualBake.signals, prometheus: [{ ...query, forMs: 0 }] };
  expect(latencyOf({ ...usualBake, pollMs: minute, signals: short }).signalsMs).toBe(3 * minute);
});

describe('the polling interval of a bake', () => {
  const hour = 60 * minute;
  const paced = (change: Partial<Parameters<typeof pollOf>[0]>) =>
    pollOf({ ...usualBake, atMostMs: 6 * hour, pollMs: 100, ...change });

  test('equals the configured interval unless that makes too many checks', () => {
    expect(paced({ pollMs: minute })).toBe(minute);
    expect(paced({ atMostMs: 5 * hour })).toBe(100);
  });

  test.each([
    ['at most six hours', {}, 1000],
    ['at most a day', { atMostMs: 24 * hour }, 4000],
    ['a day and more', { forMs: 48 * hour, atMostMs: 24 * hour }, 8000],
    ['at most a month', { atMostMs: 30 * 24 * hour }, 129_000],
  ])('stays above a lower limit in a bake of %s', (_, change, pollMs) => {
    expect(paced(change)).toBe(pollMs);
  });

  test('stays above a lower limit for a query that has to be bad for a day', () => {
    const signals = { ...usualBake.signals, prometheus: [{ ...query, forMs: 24 * hour }] };
    expect(paced({ signals })).toBe(4000);
    expect(checksToKeep({ ...usualBake, pollMs: paced({ signals }), signals })).toBeLessThan(
      50_000,
    );
  });
});
