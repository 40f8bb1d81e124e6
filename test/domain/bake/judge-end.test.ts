import { describe, expect, test } from '@jest/globals';
import type { BakeCheck } from '../../../src/domain/bake/judge-bake.ts';
import { halfAnHour, judged, looks, minute, reading, type Told, usual } from './judged.ts';

describe('nothing can be said of it', () => {
  test('at the end of the watching, of what is missing', () => {
    const over = looks(['unknown']).map((look) => ({ ...look, finished: 3 }));
    expect(judged({ looks: over, checksPastEnd: 1 })).toEqual({
      kind: 'inconclusive',
      reason: "3 of 20 customers' jobs have ended there; health: health is unknown",
      reported: [],
    });
  });

  test('where it was to be watched for longer since, and nothing else is missing', () => {
    const settings = { ...halfAnHour, forMs: 240 * minute };
    expect(judged({ looks: looks(['good']), checksPastEnd: 1, settings })).toEqual({
      kind: 'inconclusive',
      reason: '3h 20m of 4h remain, and its end has come',
      reported: [],
    });
  });

  test('while a row of bad looks has begun, which is followed to its end', () => {
    expect(judged({ looks: looks(['good', 'bad']), checksPastEnd: 1 }).kind).toBe('watching');
    expect(judged({ looks: looks(['bad', 'bad', 'bad']), checksPastEnd: 1 }).kind).toBe(
      'unhealthy',
    );
    expect(judged({ looks: looks(['bad', 'bad', 'good']), checksPastEnd: 1 }).kind).toBe('healthy');
  });

  test('nor does a look without an answer cut it off, at the end of the watching', () => {
    const silent = looks(['bad', 'bad', 'unknown']);
    expect(judged({ looks: silent, checksPastEnd: 1 })).toMatchObject({
      kind: 'watching',
      reason: 'health: bad in 2 looks running, for 1m: health is bad',
    });
    expect(judged({ looks: looks(['bad', 'bad', 'unknown', 'bad']), checksPastEnd: 2 }).kind).toBe(
      'unhealthy',
    );
  });

  test('but a row is followed for twice as long as a verdict takes, and no longer', () => {
    const silent = (count: number): Told[] => Array.from({ length: count }, () => 'unknown');
    const row = (past: number) => ({
      looks: looks(['bad', ...silent(past)]),
      checksPastEnd: past,
    });
    expect(judged(row(5)).kind).toBe('watching');
    expect(judged(row(6))).toMatchObject({
      kind: 'inconclusive',
      reason: 'health: bad in one look: health is bad',
    });
    const later = { looks: looks(['bad', ...silent(9), 'good', 'bad']), checksPastEnd: 11 };
    expect(judged(later).kind).toBe('watching');
    const held = { forMs: 8 * minute, query: 'up', url: '', above: 0, use: 'required' } as const;
    const settings = {
      ...halfAnHour,
      signals: { ...halfAnHour.signals, prometheus: [held] },
    };
    expect(judged({ ...row(17), settings }).kind).toBe('watching');
    expect(judged({ ...row(18), settings }).kind).toBe('inconclusive');
  });

  test('and two signals that are bad in turn come to an end', () => {
    const inTurn = (count: number): BakeCheck[] =>
      Array.from({ length: count }, (_, at) => ({
        at: at * minute,
        signals: ['health', 'webhook'].map((signal, index) =>
          reading(signal, at % 2 === index ? 'bad' : 'good'),
        ),
        faults: usual,
        finished: 25,
      }));
    const past = (checksPastEnd: number) => judged({ looks: inTurn(40), checksPastEnd }).kind;
    expect([0, 1, 5, 6, 40].map(past)).toEqual([
      'watching',
      'watching',
      'watching',
      'inconclusive',
      'inconclusive',
    ]);
  });
});
