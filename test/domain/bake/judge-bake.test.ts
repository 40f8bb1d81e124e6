import { describe, expect, test } from '@jest/globals';
import type { BakeCheck, BakeFacts } from '../../../src/domain/bake/judge-bake.ts';
import { halfAnHour, judged, looks, minute, reading, type Told, usual } from './judged.ts';

const withCanary = {
  ...halfAnHour,
  signals: { ...halfAnHour.signals, canary: 'required' },
} as const;

describe('a promoted shard is healthy', () => {
  test('once the time is over, enough jobs have ended and every signal is good', () => {
    expect(judged({ looks: looks(['good']) })).toEqual({
      kind: 'healthy',
      reason: "25 customers' jobs ended there; no fault of the runner in 25 jobs; good: health",
      reported: [],
    });
  });

  test('also after two bad looks that a good one has ended', () => {
    expect(judged({ looks: looks(['bad', 'bad', 'good']) }).kind).toBe('healthy');
  });

  test('by its signals alone, where no job is wanted and none can be judged', () => {
    const [look] = looks(['good']);
    const faults = { kind: 'inconclusive', reason: 'jobs cannot be listed' } as const;
    const facts = { looks: [{ ...look!, faults, finished: 0 }] };
    expect(judged({ ...facts, settings: { ...halfAnHour, jobs: 0 } }).kind).toBe('healthy');
    expect(judged(facts).kind).toBe('watching');
  });

  test('but not while its faults are in doubt, also where no job is wanted', () => {
    const faults = { kind: 'inconclusive', reason: '20 faults in 20 jobs' } as const;
    const facts = { looks: looks(['good']).map((look) => ({ ...look, faults, finished: 20 })) };
    expect(judged({ ...facts, settings: { ...halfAnHour, jobs: 0 } })).toMatchObject({
      kind: 'watching',
      reason: '20 faults in 20 jobs',
    });
  });

  test('also if its very end is reached by then', () => {
    expect(judged({ looks: looks(['good']), checksPastEnd: 1 }).kind).toBe('healthy');
  });
});

describe('it is not healthy yet, and watched on', () => {
  test('before the time is over, with the last look at its end', () => {
    const verdict = judged({ looks: looks(['good']), sincePromotedMs: 29.5 * minute });
    expect(verdict).toMatchObject({
      kind: 'watching',
      reason: '30s of 30m remain',
      nextCheckMs: 30_000,
    });
  });

  test.each<[string, Partial<BakeFacts> & Pick<BakeFacts, 'looks'>, string]>([
    [
      'with too few jobs',
      { looks: looks(['good']).map((look) => ({ ...look, finished: 19 })) },
      "19 of 20 customers' jobs have ended there",
    ],
    [
      'with a signal without an answer',
      { looks: looks(['good', 'unknown']) },
      'health: health is unknown',
    ],
    [
      'with faults that may be chance',
      {
        looks: looks(['good']).map((look) => ({
          ...look,
          faults: { kind: 'inconclusive', reason: '1 fault in 25 jobs' },
        })),
      },
      '1 fault in 25 jobs',
    ],
    [
      'with a bad look',
      { looks: looks(['good', 'bad']) },
      'health: bad in one look: health is bad',
    ],
  ])('%s', (_, facts, reason) => {
    expect(judged(facts)).toEqual({ kind: 'watching', reason, reported: [], nextCheckMs: minute });
  });

  test('as long as nobody has looked', () => {
    expect(judged({ looks: [] })).toMatchObject({ kind: 'watching', nextCheckMs: 0 });
  });
});

describe('it is unhealthy', () => {
  test('by more faults than chance brings, at once and from the first look on', () => {
    const faults = { kind: 'unhealthy', reason: '2 faults in 9 jobs' } as const;
    const [look] = looks(['good']);
    expect(judged({ looks: [{ ...look!, faults, finished: 9 }], sincePromotedMs: 0 })).toEqual({
      kind: 'unhealthy',
      reason: '2 faults in 9 jobs',
      reported: [],
    });
  });

  test('by a signal that is bad in three looks running, and not in two', () => {
    expect(judged({ looks: looks(['bad', 'bad']), sincePromotedMs: minute }).kind).toBe('watching');
    expect(judged({ looks: looks(['bad', 'bad', 'bad']), sincePromotedMs: minute })).toMatchObject({
      kind: 'unhealthy',
      reason: 'health: bad in 3 looks running, for 2m: health is bad',
    });
  });

  test('by three bad answers between which there was none, but not if one was good', () => {
    expect(judged({ looks: looks(['bad', 'unknown', 'bad', 'unknown', 'bad']) }).kind).toBe(
      'unhealthy',
    );
    expect(judged({ looks: looks(['bad', 'bad', 'good', 'bad']) }).kind).toBe('watching');
    expect(judged({ looks: looks(['bad', 'unknown', 'bad']) }).kind).toBe('watching');
  });

  test('not by three different signals', () => {
    const each = ['health', 'prometheus[0]', 'webhook'].map((signal, at) => ({
      at: at * minute,
      signals: ['health', 'prometheus[0]', 'webhook'].map((one) =>
        reading(one, one === signal ? 'bad' : 'good'),
      ),
      faults: usual,
      finished: 25,
    }));
    expect(judged({ looks: each }).kind).toBe('watching');
  });

  test('by a signal only after as long as it has to hold', () => {
    const held = { heldMs: 5 * minute };
    const bad = (count: number) =>
      looks(
        Array.from({ length: count }, () => 'bad' as const),
        held,
      );
    expect(judged({ looks: bad(5) }).kind).toBe('watching');
    expect(judged({ looks: bad(6) }).kind).toBe('unhealthy');
  });
});

describe('a signal that is only reported', () => {
  const reported = { requirement: 'report' } as const;

  test('is told once it is bad in three looks running, and decides nothing', () => {
    expect(judged({ looks: looks(['bad', 'bad', 'bad'], reported) })).toEqual({
      kind: 'healthy',
      reason: "25 customers' jobs ended there; no fault of the runner in 25 jobs",
      reported: [
        { signal: 'health', text: 'health: bad in 3 looks running, for 2m: health is bad' },
      ],
    });
    expect(judged({ looks: looks(['bad', 'bad'], reported) }).reported).toEqual([]);
  });

  test('keeps nothing waiting without an answer', () => {
    expect(judged({ looks: looks(['unknown'], reported) }).kind).toBe('healthy');
  });
});

describe('a canary', () => {
  const settings = withCanary;
  const good = looks(['good']);
  const canaryAgo = (minutes: number, value: Told): BakeCheck[] => [
    { ...good[0]!, signals: [...good[0]!.signals, reading('canary', value)] },
    { ...good[0]!, at: minutes * minute },
  ];

  test('is asked for once the time is over, at once, and not before', () => {
    const early = judged({ looks: good, settings, sincePromotedMs: 29 * minute });
    expect(early).not.toHaveProperty('needs');
    expect(judged({ looks: good, settings })).toEqual({
      kind: 'watching',
      reason: 'a canary is to prove it once more',
      reported: [],
      nextCheckMs: 0,
      needs: 'canary',
    });
  });

  test('is asked for also where no job has ended, and where the end is reached', () => {
    const idle = good.map((look) => ({ ...look, finished: 0 }));
    expect(judged({ looks: idle, settings })).toHaveProperty('needs', 'canary');
    expect(judged({ looks: idle, settings, checksPastEnd: 1 })).toHaveProperty('needs', 'canary');
  });

  test('that was good makes it healthy as long as it is younger than the time', () => {
    expect(judged({ looks: canaryAgo(30, 'good'), settings }).kind).toBe('healthy');
    expect(judged({ looks: canaryAgo(31, 'good'), settings })).toHaveProperty('needs', 'canary');
  });

  test('that failed is run again at the next look, and three of them make it unhealthy', () => {
    expect(judged({ looks: canaryAgo(1, 'bad'), settings })).toHaveProperty('needs', 'canary');
    const failed = [0, 1, 2].flatMap(() => canaryAgo(0, 'bad').slice(0, 1));
    expect(judged({ looks: failed, settings, checksPastEnd: 1 })).toMatchObject({
      kind: 'unhealthy',
      reason: 'canary: bad in 3 looks running: canary is bad',
    });
  });

  test('that is only reported decides nothing, and does not hold the end up', () => {
    const reported = { requirement: 'report' } as const;
    const failed = [0, 1, 2].map((at) => ({
      ...good[0]!,
      at: at * minute,
      signals: [...good[0]!.signals, reading('canary', 'bad', reported)],
    }));
    const told = { ...halfAnHour, signals: { ...halfAnHour.signals, canary: 'report' } } as const;
    expect(judged({ looks: failed.slice(0, 2), settings: told })).toHaveProperty('needs', 'canary');
    expect(judged({ looks: failed, settings: told })).toMatchObject({
      kind: 'healthy',
      reported: [
        { signal: 'canary', text: 'canary: bad in 3 looks running, for 2m: canary is bad' },
      ],
    });
  });

  test('without an answer is not pressed, and never makes it healthy', () => {
    expect(judged({ looks: canaryAgo(1, 'unknown'), settings })).toMatchObject({
      kind: 'watching',
      reason: 'canary: canary is unknown',
      nextCheckMs: minute,
    });
    expect(judged({ looks: canaryAgo(1, 'unknown'), settings, checksPastEnd: 1 }).kind).toBe(
      'inconclusive',
    );
  });
});
