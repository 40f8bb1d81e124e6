import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Fault } from '../fakes/seam.ts';
import { type Leg, recordLegs, suffer } from './sweep.ts';

const faults: readonly Fault[] = [
  { kind: 'crash_before' },
  { kind: 'crash_after' },
  { kind: 'lost_answer' },
  { kind: 'error_before', failure: 'unavailable', status: 503 },
  { kind: 'stale' },
  { kind: 'late_effect', afterMs: 20_000 },
];

let legs: readonly Leg[] = [];

beforeAll(async () => {
  legs = await recordLegs();
});

/** Every call is struck once in a second deployment, under customers' jobs. */
describe.each(faults)('$kind at every call', (fault) => {
  test.each(['same id', 'new id'] as const)(
    'the %s reaches the goal, nothing is lost or left',
    async (by) => {
      const trouble: string[] = [];
      for (const leg of legs) {
        for (const [index, { port, method, args, effect }] of leg.calls.entries()) {
          if (fault.kind === 'late_effect' && !effect) continue;
          if (port === 'clock' && !fault.kind.startsWith('crash')) continue;
          const found = await suffer(leg, { index, fault, by });
          const where = `${leg.stage} #${index} ${port}.${method} ${JSON.stringify(args[0])?.slice(0, 60)}`;
          if (found.length > 0) trouble.push(`${where}: ${found.join(' // ')}`);
        }
      }
      expect(trouble).toEqual([]);
    },
  );
});
