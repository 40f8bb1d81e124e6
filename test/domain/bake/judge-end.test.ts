import { describe, expect, test } from '@jest/globals';
import type { BakeCheck } from '../../../src/domain/bake/judge-bake.ts';
import { halfAnHour, judged, looks, minute, reading, type Told, usual } from './judged.ts';

describe('the bake verdict at the time limit', () => {
  test('names everything that is missing', () => {
    const over = looks(['unknown']).map((look) => ({ ...look, finished: 3 }));
    expect(judged({ looks: over, checksPastEnd: 1 })).toEqual({
      kind: 'inconclusive',
      reason: '3 of 20 customer jobs have finished there; health: health is unknown',
      reported: [],
    });
  });

  test('names the remaining time if nothing else is missing', () => {
    const settings = { ...halfAnHour, forMs: 240 * minute };
    expect(judged({ looks: looks(['good']), checksPastEnd: 1, settings })).toEqual({
      kind: 'inconclusive',
      reason: '3h 20m of 4h remain, but the bake has reached its end',
      reported: [],
    });
  });

  test('waits until a series of bad checks has ended', () => {
    expect(judged({ looks: looks(['good', 'bad']), checksPastEnd: 1 }).kind).toBe('watching');
    expect(judged({ looks: looks(['bad', 'bad', 'bad']), checksPastEnd: 1 }).kind).toBe(
      'unhealthy',
    );
    expect(judged({ looks: looks(['bad', 'bad', 'good']), checksPastEnd: 1 }).kind).toBe('healthy');
  });

  test('continues a series of bad checks over a check without a response', () => {
    const silent = looks(['bad', 'bad', 'unknown']);
    expect(judged({ looks: silent, checksPastEnd: 1 })).toMatchObject({
      kind: 'watching',
      reason: 'health: bad in 2 consecutive checks, for 1m: health is bad',
    });
    expect(judged({ looks: looks(['bad', 'bad', 'unknown', 'bad']), checksPastEnd: 2 }).kind).toBe(
      'unhealthy',
    );
  });

  test('waits for a series of bad checks for twice the time of a verdict at most', () => {
    const silent = (count: number): Told[] => Array.from({ length: count }, () => 'unknown');
    const row = (past: number) => ({
      looks: looks(['bad', ...silent(past)]),
      checksPastEnd: past,
    });
    expect(judged(row(5)).kind).toBe('watching');
    expect(judged(row(6))).toMatchObject({
      kind: 'inconclusive',
      reason: 'health: bad in one check: health is bad',
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

  test('limits the wait for two signals that are bad in turn', () => {
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
