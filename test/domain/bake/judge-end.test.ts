import { describe, expect, test } from '@jest/globals';
import type { BakeCheck } from '../../../src/domain/bake/judge-bake.ts';
import {
  type HealthValue,
  halfAnHour,
  listChecks,
  minute,
  reading,
  usual,
  verdictOf,
} from './judged.ts';

describe('the bake verdict at the time limit', () => {
  test('names everything that is missing', () => {
    const over = listChecks(['unknown']).map((check) => ({ ...check, finished: 3 }));
    expect(verdictOf({ looks: over, checksPastEnd: 1 })).toEqual({
      kind: 'inconclusive',
      reason: '3 of 20 customer jobs have finished there; health: health is unknown',
      reported: [],
    });
  });

  test('names the remaining time if nothing else is missing', () => {
    const settings = { ...halfAnHour, forMs: 240 * minute };
    expect(verdictOf({ looks: listChecks(['good']), checksPastEnd: 1, settings })).toEqual({
      kind: 'inconclusive',
      reason: '3h 20m of 4h remain, but the bake has reached its end',
      reported: [],
    });
  });

  test('waits until a series of bad checks has ended', () => {
    expect(verdictOf({ looks: listChecks(['good', 'bad']), checksPastEnd: 1 }).kind).toBe(
      'watching',
    );
    expect(verdictOf({ looks: listChecks(['bad', 'bad', 'bad']), checksPastEnd: 1 }).kind).toBe(
      'unhealthy',
    );
    expect(verdictOf({ looks: listChecks(['bad', 'bad', 'good']), checksPastEnd: 1 }).kind).toBe(
      'healthy',
    );
  });

  test('continues a series of bad checks over a check without a response', () => {
    const unanswered = listChecks(['bad', 'bad', 'unknown']);
    expect(verdictOf({ looks: unanswered, checksPastEnd: 1 })).toMatchObject({
      kind: 'watching',
      reason: 'health: bad in 2 consecutive checks, for 1m: health is bad',
    });
    expect(
      verdictOf({ looks: listChecks(['bad', 'bad', 'unknown', 'bad']), checksPastEnd: 2 }).kind,
    ).toBe('unhealthy');
  });

  test('waits for a series of bad checks for twice the time of a verdict at most', () => {
    const repeatUnknown = (count: number): HealthValue[] =>
      Array.from({ length: count }, () => 'unknown');
    const row = (past: number) => ({
      looks: listChecks(['bad', ...repeatUnknown(past)]),
      checksPastEnd: past,
    });
    expect(verdictOf(row(5)).kind).toBe('watching');
    expect(verdictOf(row(6))).toMatchObject({
      kind: 'inconclusive',
      reason: 'health: bad in one check: health is bad',
    });
    const later = {
      looks: listChecks(['bad', ...repeatUnknown(9), 'good', 'bad']),
      checksPastEnd: 11,
    };
    expect(verdictOf(later).kind).toBe('watching');
    const held = { forMs: 8 * minute, query: 'up', url: '', above: 0, use: 'required' } as const;
    const settings = {
      ...halfAnHour,
      signals: { ...halfAnHour.signals, prometheus: [held] },
    };
    expect(verdictOf({ ...row(17), settings }).kind).toBe('watching');
    expect(verdictOf({ ...row(18), settings }).kind).toBe('inconclusive');
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
    const past = (checksPastEnd: number) => verdictOf({ looks: inTurn(40), checksPastEnd }).kind;
    expect([0, 1, 5, 6, 40].map(past)).toEqual([
      'watching',
      'watching',
      'watching',
      'inconclusive',
      'inconclusive',
    ]);
  });
});
