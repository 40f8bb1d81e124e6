import { describe, expect, test } from '@jest/globals';
import type { BakeCheck, BakeFacts } from '../../../src/domain/bake/judge-bake.ts';
import { type Health, halfAnHour, judge, minute, reading, series, usual } from './bake-facts.ts';

const withCanary = {
  ...halfAnHour,
  signals: { ...halfAnHour.signals, canary: 'required' },
} as const;

describe('the bake verdict healthy', () => {
  test('requires the bake time, enough finished jobs and only good signals', () => {
    expect(judge({ checks: series(['good']) })).toEqual({
      kind: 'healthy',
      reason:
        '25 customer jobs finished on the new shard; no runner system failure in 25 jobs; good: health',
      reported: [],
    });
  });

  test('accepts two bad checks before a good one', () => {
    expect(judge({ checks: series(['bad', 'bad', 'good']) }).kind).toBe('healthy');
  });

  test('follows from signals alone if no job is required and jobs cannot be listed', () => {
    const [check] = series(['good']);
    const faults = { kind: 'inconclusive', reason: 'jobs cannot be listed' } as const;
    const facts = { checks: [{ ...check!, faults, finished: 0 }] };
    expect(judge({ ...facts, settings: { ...halfAnHour, jobs: 0 } }).kind).toBe('healthy');
    expect(judge(facts).kind).toBe('watching');
  });

  test('waits while runner system failures are in doubt, even if no job is required', () => {
    const faults = { kind: 'inconclusive', reason: '20 faults in 20 jobs' } as const;
    const facts = {
      checks: series(['good']).map((check) => ({ ...check, faults, finished: 20 })),
    };
    expect(judge({ ...facts, settings: { ...halfAnHour, jobs: 0 } })).toMatchObject({
      kind: 'watching',
      reason: '20 faults in 20 jobs',
    });
  });

  test('can still follow past the time limit of the bake', () => {
    expect(judge({ checks: series(['good']), checksPastEnd: 1 }).kind).toBe('healthy');
  });
});

describe('a bake without a verdict yet', () => {
  test('runs until its time is over, with the last check at the end', () => {
    const verdict = judge({ checks: series(['good']), sincePromotedMs: 29.5 * minute });
    expect(verdict).toMatchObject({
      kind: 'watching',
      reason: '30s of 30m remain',
      nextCheckMs: 30_000,
    });
  });

  test.each<[string, Partial<BakeFacts> & Pick<BakeFacts, 'checks'>, string]>([
    [
      'with too few jobs',
      { checks: series(['good']).map((check) => ({ ...check, finished: 19 })) },
      '19 of 20 customer jobs have finished on the new shard',
    ],
    [
      'with a signal without a response',
      { checks: series(['good', 'unknown']) },
      'health: health is unknown',
    ],
    [
      'with failures that may be chance',
      {
        checks: series(['good']).map((check) => ({
          ...check,
          faults: { kind: 'inconclusive', reason: '1 fault in 25 jobs' },
        })),
      },
      '1 fault in 25 jobs',
    ],
    [
      'with a bad check',
      { checks: series(['good', 'bad']) },
      'health: bad in one check: health is bad',
    ],
  ])('keeps running %s', (_, facts, reason) => {
    expect(judge(facts)).toEqual({
      kind: 'watching',
      reason,
      reported: [],
      nextCheckMs: minute,
    });
  });

  test('keeps running before the first check', () => {
    expect(judge({ checks: [] })).toMatchObject({ kind: 'watching', nextCheckMs: 0 });
  });
});

describe('the bake verdict unhealthy', () => {
  test('follows at the first check from more failures than chance explains', () => {
    const faults = { kind: 'unhealthy', reason: '2 faults in 9 jobs' } as const;
    const [check] = series(['good']);
    expect(judge({ checks: [{ ...check!, faults, finished: 9 }], sincePromotedMs: 0 })).toEqual({
      kind: 'unhealthy',
      reason: '2 faults in 9 jobs',
      reported: [],
    });
  });

  test('follows from a signal that is bad in three consecutive checks, not in two', () => {
    expect(judge({ checks: series(['bad', 'bad']), sincePromotedMs: minute }).kind).toBe(
      'watching',
    );
    expect(judge({ checks: series(['bad', 'bad', 'bad']), sincePromotedMs: minute })).toMatchObject(
      {
        kind: 'unhealthy',
        reason: 'health: bad in 3 consecutive checks, for 2m: health is bad',
      },
    );
  });

  test('ignores missing responses between three bad ones, but not a good one', () => {
    expect(judge({ checks: series(['bad', 'unknown', 'bad', 'unknown', 'bad']) }).kind).toBe(
      'unhealthy',
    );
    expect(judge({ checks: series(['bad', 'bad', 'good', 'bad']) }).kind).toBe('watching');
    expect(judge({ checks: series(['bad', 'unknown', 'bad']) }).kind).toBe('watching');
  });

  test('does not follow from three different bad signals', () => {
    const each = ['health', 'prometheus[0]', 'webhook'].map((signal, at) => ({
      at: at * minute,
      signals: ['health', 'prometheus[0]', 'webhook'].map((one) =>
        reading(one, one === signal ? 'bad' : 'good'),
      ),
      faults: usual,
      finished: 25,
    }));
    expect(judge({ checks: each }).kind).toBe('watching');
  });

  test('waits until a signal was bad for its configured duration', () => {
    const held = { heldMs: 5 * minute };
    const bad = (count: number) =>
      series(
        Array.from({ length: count }, () => 'bad' as const),
        held,
      );
    expect(judge({ checks: bad(5) }).kind).toBe('watching');
    expect(judge({ checks: bad(6) }).kind).toBe('unhealthy');
  });
});

describe('a signal with the requirement report', () => {
  const reported = { requirement: 'report' } as const;

  test('appears in the report after three bad checks and decides nothing', () => {
    expect(judge({ checks: series(['bad', 'bad', 'bad'], reported) })).toEqual({
      kind: 'healthy',
      reason: '25 customer jobs finished on the new shard; no runner system failure in 25 jobs',
      reported: [
        { signal: 'health', text: 'health: bad in 3 consecutive checks, for 2m: health is bad' },
      ],
    });
    expect(judge({ checks: series(['bad', 'bad'], reported) }).reported).toEqual([]);
  });

  test('does not delay the verdict without a response', () => {
    expect(judge({ checks: series(['unknown'], reported) }).kind).toBe('healthy');
  });
});

describe('a canary in a bake', () => {
  const settings = withCanary;
  const good = series(['good']);
  const canaryAgo = (minutes: number, value: Health): BakeCheck[] => [
    { ...good[0]!, signals: [...good[0]!.signals, reading('canary', value)] },
    { ...good[0]!, at: minutes * minute },
  ];

  test('becomes necessary exactly when the bake time is over', () => {
    const early = judge({ checks: good, settings, sincePromotedMs: 29 * minute });
    expect(early).not.toHaveProperty('needs');
    expect(judge({ checks: good, settings })).toEqual({
      kind: 'watching',
      reason: 'one more canary has to verify it',
      reported: [],
      nextCheckMs: 0,
      needs: 'canary',
    });
  });

  test('becomes necessary without finished jobs and past the time limit as well', () => {
    const idle = good.map((check) => ({ ...check, finished: 0 }));
    expect(judge({ checks: idle, settings })).toHaveProperty('needs', 'canary');
    expect(judge({ checks: idle, settings, checksPastEnd: 1 })).toHaveProperty('needs', 'canary');
  });

  test('makes the shard healthy if its success is younger than the bake time', () => {
    expect(judge({ checks: canaryAgo(30, 'good'), settings }).kind).toBe('healthy');
    expect(judge({ checks: canaryAgo(31, 'good'), settings })).toHaveProperty('needs', 'canary');
  });

  test('runs again at the check after a failure, and three failures make the shard unhealthy', () => {
    expect(judge({ checks: canaryAgo(1, 'bad'), settings })).toHaveProperty('needs', 'canary');
    const failed = [0, 1, 2].flatMap(() => canaryAgo(0, 'bad').slice(0, 1));
    expect(judge({ checks: failed, settings, checksPastEnd: 1 })).toMatchObject({
      kind: 'unhealthy',
      reason: 'canary: bad in 3 consecutive checks: canary is bad',
    });
  });

  test('decides nothing and does not delay the end if it is only reported', () => {
    const reported = { requirement: 'report' } as const;
    const failed = [0, 1, 2].map((at) => ({
      ...good[0]!,
      at: at * minute,
      signals: [...good[0]!.signals, reading('canary', 'bad', reported)],
    }));
    const reportOnly = {
      ...halfAnHour,
      signals: { ...halfAnHour.signals, canary: 'report' },
    } as const;
    expect(judge({ checks: failed.slice(0, 2), settings: reportOnly })).toHaveProperty(
      'needs',
      'canary',
    );
    expect(judge({ checks: failed, settings: reportOnly })).toMatchObject({
      kind: 'healthy',
      reported: [
        { signal: 'canary', text: 'canary: bad in 3 consecutive checks, for 2m: canary is bad' },
      ],
    });
  });

  test('does not start again while its result is unknown, and never makes the shard healthy', () => {
    expect(judge({ checks: canaryAgo(1, 'unknown'), settings })).toMatchObject({
      kind: 'watching',
      reason: 'canary: canary is unknown',
      nextCheckMs: minute,
    });
    expect(judge({ checks: canaryAgo(1, 'unknown'), settings, checksPastEnd: 1 }).kind).toBe(
      'inconclusive',
    );
  });
});
