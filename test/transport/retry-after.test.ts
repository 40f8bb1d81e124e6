import { describe, expect, test } from '@jest/globals';
import {
  isThrottled,
  parseRetryAfter,
  readAllowance,
} from '../../src/adapters/transport/answers/retry-after.ts';
import type { AttemptOutcome } from '../../src/adapters/transport/attempt.ts';
import { isRepeatable, usualLimits } from '../../src/adapters/transport/request.ts';
import { planRetry, type RetryFacts } from '../../src/adapters/transport/retry-policy.ts';

const at = Date.parse('2026-11-02T08:00:00.000Z');
const answered = (status: number, headers: Record<string, string> = {}, body = '') => ({
  status,
  headers: new Headers(headers),
  body,
});

describe('a guard in front of the work', () => {
  test.each<[number, Record<string, string>, string, boolean]>([
    [429, {}, '', true],
    [403, {}, '', false],
    [403, { 'retry-after': '60' }, '', true],
    [403, { 'x-ratelimit-remaining': '0' }, '', true],
    [403, { 'x-ratelimit-remaining': '4999' }, '', false],
    [403, {}, 'You have exceeded a secondary rate limit.', true],
    [403, {}, '{"message":"API rate limit exceeded for user ID 7."}', true],
    [403, {}, 'You have triggered an abuse detection mechanism.', true],
    [403, {}, '{"message":"Resource not accessible by integration"}', false],
    [404, { 'retry-after': '60' }, 'secondary rate limit', false],
    [500, { 'retry-after': '60' }, '', false],
  ])('is told from a refusal for good: %d %j %s', (status, headers, body, told) => {
    expect(isThrottled(answered(status, headers, body))).toBe(told);
  });

  test.each([
    [408, 'repeat'],
    [425, 'repeat'],
    [503, 'repeat'],
    [504, 'repeat'],
    [520, 'repeat'],
  ])('and an outage in front of it make a read be sent again: %d %s', (status, kind) => {
    const limits = usualLimits;
    const outcome = { kind: 'answer', answer: answered(status) } as const;
    const times = { attempts: 1, leftMs: 60_000, nowMs: at, fraction: 0.5 };
    expect(planRetry({ outcome, repeatable: true, limits, ...times })).toMatchObject({ kind });
  });

  const date = new Date(at).toUTCString();
  const later = String(at / 1000 + 90);
  test.each<[string, Record<string, string>, number | undefined]>([
    ['in seconds', { 'retry-after': '60' }, 60_000],
    ['in seconds with blanks', { 'retry-after': ' 60 ' }, 60_000],
    ['in parts of a second', { 'retry-after': '0.25' }, 250],
    ['by a date', { 'retry-after': new Date(at + 5000).toUTCString(), date }, 5000],
    [
      'not by a date that has passed',
      { 'retry-after': new Date(at - 5000).toUTCString(), date },
      undefined,
    ],
    ['not by zero', { 'retry-after': '0' }, undefined],
    [
      'by the reset, if the other header is zero',
      { 'retry-after': '0', 'ratelimit-reset': later },
      90_000,
    ],
    ['not by a reset that has passed', { 'ratelimit-reset': String(at / 1000 - 1) }, undefined],
    [
      'not by a number of seconds in the place of the reset',
      { 'ratelimit-reset': '30' },
      undefined,
    ],
    ['by nothing that can be read', { 'retry-after': '60 seconds' }, undefined],
    ['by a number with words', { 'retry-after': 'in 60' }, undefined],
    [
      'by the reset, where nothing is left',
      { 'ratelimit-remaining': '0', 'ratelimit-reset': later },
      90_000,
    ],
    ['by the reset alone', { 'ratelimit-reset': later }, 90_000],
    [
      'not, where something is left',
      { 'ratelimit-remaining': '1', 'ratelimit-reset': later },
      undefined,
    ],
    ['not by a reset in words', { 'ratelimit-reset': `${later}s` }, undefined],
    ['by its time', { 'ratelimit-resettime': new Date(at + 7000).toUTCString(), date }, 7000],
    ['not at all', {}, undefined],
  ])('says how long to wait %s', (_, headers, waitMs) => {
    expect(parseRetryAfter(new Headers(headers), at)).toBe(waitMs);
  });

  const all = { 'ratelimit-limit': '600', 'ratelimit-remaining': '7', 'ratelimit-reset': later };
  test('says what is left, under either name', () => {
    const kind = { isOfMinute: false, isOfAll: true };
    const left = { limit: 600, remaining: 7, resetInMs: 90_000, ...kind };
    expect(readAllowance(new Headers(all), at)).toEqual(left);
    const named = Object.entries(all).map(([name, value]) => [`x-${name}`, ` ${value} `] as const);
    expect(readAllowance(new Headers(Object.fromEntries(named)), at)).toEqual(left);
  });

  test.each<[string, Record<string, string>]>([
    ...Object.keys(all).map((name): [string, Record<string, string>] => [
      `without ${name}`,
      Object.fromEntries(Object.entries(all).filter(([one]) => one !== name)),
    ]),
    ['with a limit in words', { ...all, 'ratelimit-limit': '600/m' }],
    ['with a rest in words', { ...all, 'ratelimit-remaining': 'about 7' }],
    ['with a reset that is now', { ...all, 'ratelimit-reset': String(at / 1000) }],
  ])('says nothing of what is left %s', (_, headers) => {
    expect(readAllowance(new Headers(headers), at)).toBeUndefined();
  });
});

describe('a repetition', () => {
  const situation = (outcome: AttemptOutcome, more: Partial<RetryFacts> = {}): RetryFacts => ({
    outcome,
    repeatable: true,
    attempts: 1,
    leftMs: 10_000,
    nowMs: at,
    fraction: 0.5,
    limits: usualLimits,
    ...more,
  });
  const busy = (headers: Record<string, string> = {}): AttemptOutcome => ({
    kind: 'answer',
    answer: answered(429, headers),
  });

  test('waits as it is told and a part of a second more, and says that it was told', () => {
    expect(planRetry(situation(busy({ 'retry-after': '3' })))).toEqual({
      kind: 'repeat',
      afterMs: 3500,
      told: true,
    });
    expect(planRetry(situation(busy()))).toEqual({
      kind: 'repeat',
      afterMs: 250,
      told: false,
    });
  });

  test('is none where the wait takes the rest of the time, and the reason says who asked', () => {
    const told = situation(busy({ 'retry-after': '3' }), { leftMs: 3500 });
    expect(planRetry(told)).toEqual({
      kind: 'stop',
      reason: 'it asks to wait 4s, 1 attempts',
    });
    const untold = situation(busy(), { leftMs: 250, attempts: 1 });
    expect(planRetry(untold)).toEqual({ kind: 'stop', reason: '1 attempts' });
  });

  test.each<[AttemptOutcome, boolean, boolean]>([
    [{ kind: 'timeout' }, true, true],
    [{ kind: 'timeout' }, false, false],
    [{ kind: 'cancelled' }, true, false],
    [{ kind: 'too_large', status: 200 }, true, false],
    [{ kind: 'answer', answer: answered(500) }, false, false],
    [{ kind: 'answer', answer: answered(429) }, false, true],
    [{ kind: 'answer', answer: answered(404) }, true, false],
  ])('after %j, repeatable %s: %s', (outcome, repeatable, repeats) => {
    expect(planRetry(situation(outcome, { repeatable })).kind).toBe(repeats ? 'repeat' : 'stop');
  });

  test.each([
    ['GET', undefined, true],
    ['HEAD', undefined, true],
    ['POST', undefined, false],
    ['DELETE', undefined, false],
    ['POST', true, true],
    ['GET', false, false],
  ])('%s, called repeatable %s, is harmless: %s', (method, repeatable, harmless) => {
    const url = new URL('https://gitlab.example.com');
    const told = repeatable === undefined ? {} : { repeatable };
    expect(isRepeatable({ method, url, source: '', ...told })).toBe(harmless);
  });
});
