import { expect, test } from '@jest/globals';
import { latencyOf } from '../../../src/domain/bake/latency.ts';
import { usualBake } from '../../fakes/bake-settings.ts';

const minute = 60_000;
const query = { query: 'errors', url: 'https://p.example.com', above: 1, use: 'required' } as const;

test('faults are found at the next look, and a bad signal in three', () => {
  expect(latencyOf({ ...usualBake, pollMs: minute })).toEqual({
    faultsMs: minute,
    signalsMs: 3 * minute,
  });
});

test('jobs that wait have to be old enough at three looks', () => {
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
