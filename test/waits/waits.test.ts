import { describe, expect, test } from '@jest/globals';
import { pauseBefore } from '../../src/domain/pace.ts';
import { measure } from './measure.ts';

const { ready, drain } = measure({ samples: 20_000, seed: 1 });
const [ourReady, ...otherReady] = ready;
const [ourDrain, ...otherDrain] = drain;
if (ourReady === undefined || ourDrain === undefined) throw new Error('nothing was measured');

describe('the schedule of waits', () => {
  test('sees the end of the canary within half a second on average and one at worst, in 60 calls at most', () => {
    expect(ourReady.meanMs).toBeLessThanOrEqual(500);
    expect(ourReady.p99Ms).toBeLessThanOrEqual(1000);
    expect(ourReady.p99Calls).toBeLessThanOrEqual(60);
    expect(ourReady.early).toBe(0);
  });

  test('sees the end of the last job within two seconds beside the confirmation window', () => {
    expect(ourDrain.p99Ms).toBeLessThanOrEqual(2000);
    expect(ourDrain.early).toBe(0);
  });

  test('is sooner than every other one that does not declare the end too early', () => {
    for (const other of otherReady.filter(({ early }) => early === 0)) {
      expect(other.meanMs).toBeGreaterThan(ourReady.meanMs);
    }
    for (const other of otherDrain) expect(other.meanMs).toBeGreaterThan(ourDrain.meanMs);
  });

  test('is the same for the same seed', () => {
    const again = { samples: 500, seed: 9 };
    expect(measure(again)).toEqual(measure(again));
  });
});

describe('pauseBefore', () => {
  const cadence = { pollMs: 5000, fineMs: 980 };

  test.each([
    ['nothing moves', { kind: 'far' }, 15_000],
    ['the host is there', { kind: 'coming' }, 5000],
    ['any answer may be the last one', { kind: 'near', forMs: 0 }, 980],
    ['it may have been for two minutes', { kind: 'near', forMs: 120_000 }, 980],
    ['it may have been for three', { kind: 'near', forMs: 180_000 }, 3000],
    ['it may have been for an hour', { kind: 'near', forMs: 3_600_000 }, 5000],
  ] as const)('while %s', (_, prospect, expected) => {
    expect(pauseBefore(prospect, cadence)).toBe(expected);
  });

  test('is never finer than what is configured', () => {
    expect(pauseBefore({ kind: 'near', forMs: 0 }, { pollMs: 200, fineMs: 980 })).toBe(200);
  });
});
