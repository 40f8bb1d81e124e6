import { describe, expect, test } from '@jest/globals';
import type { BakeCheck } from '../../../src/domain/bake/judge-bake.ts';
import { type Health, halfAnHour, judge, minute, reading, series, usual } from './bake-facts.ts';

describe('the bake verdict at the time limit', () => {
  test('names everything that is missing', () => {
    const over = series(['unknown']).map((check) => ({ ...check, finished: 3 }));
    expect(judge({ checks: over, checksPastEnd: 1 })).toEqual({
      kind: 'inconclusive',
      reason: '3 of 20 customer jobs have finished on the new shard; health: health is unknown',
      reported: [],
    });
  });

  test('names the remaining time if nothing else is missing', () => {
    const settings = { ...halfAnHour, forMs: 240 * minute };
    expect(judge({ checks: series(['good']), checksPastEnd: 1, settings })).toEqual({
      kind: 'inconclusive',
      reason: '3h 20m of 4h remain, but the bake has reached its end',
      reported: [],
    });
  });

  test('waits until a series of bad checks has ended', () => {
    expect(judge({ checks: series(['good', 'bad']), checksPastEnd: 1 }).kind).toBe('watching');
    expect(judge({ checks: series(['bad', 'bad', 'bad']), checksPastEnd: 1 }).kind).toBe(
      'unhealthy',
    );
    expect(judge({ checks: series(['bad', 'bad', 'good']), checksPastEnd: 1 }).kind).toBe(
      'healthy',
    );
  });

  test('continues a series of bad checks over a check without a response', () => {
    const unanswered = series(['bad', 'bad', 'unknown']);
    expect(judge({ checks: unanswered, checksPastEnd: 1 })).toMatchObject({
      kind: 'watching',
      reason: 'health: bad in 2 consecutive checks, for 1m: health is bad',
    });
    expect(judge({ checks: series(['bad', 'bad', 'unknown', 'bad']), checksPastEnd: 2 }).kind).toBe(
      'unhealthy',
    );
  });

  test('waits for a series of bad checks for twice the time of a verdict at most', () => {
    const repeatUnknown = (count: number): Health[] =>
      Array.from({ length: count }, () => 'unknown');
    const row = (past: number) => ({
      checks: series(['bad', ...repeatUnknown(past)]),
      checksPastEnd: past,
    });
    expect(judge(row(5)).kind).toBe('watching');
    expect(judge(row(6))).toMatchObject({
      kind: 'inconclusive',
      reason: 'health: bad in one check: health is bad',
    });
    const later = {
      checks: series(['bad', ...repeatUnknown(9), 'good', 'bad']),
      checksPastEnd: 11,
    };
    expect(judge(later).kind).toBe('watching');
    const held = { forMs: 8 * minute, query: 'up', url: '', above: 0, use: 'required' } as const;
    const settings = {
      ...halfAnHour,
      signals: { ...halfAnHour.signals, prometheus: [held] },
    };
    expect(judge({ ...row(17), settings }).kind).toBe('watching');
    expect(judge({ ...row(18), settings }).kind).toBe('inconclusive');
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
    const past = (checksPastEnd: number) => judge({ checks: inTurn(40), checksPastEnd }).kind;
    expect([0, 1, 5, 6, 40].map(past)).toEqual([
      'watching',
      'watching',
      'watching',
      'inconclusive',
      'inconclusive',
    ]);
  });
});
