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

describe('a rate limiter in front of the service', () => {
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
  ])('differs from a permanent refusal: %d %j %s', (status, headers, body, expected) => {
    expect(isThrottled(answered(status, headers, body))).toBe(expected);
  });

  test.each([
    [408, 'repeat'],
    [425, 'repeat'],
    [503, 'repeat'],
    [504, 'repeat'],
    [520, 'repeat'],
  ])('causes a repeated read, like an outage: %d %s', (status, kind) => {
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
    ['in fractions of a second', { 'retry-after': '0.25' }, 250],
    ['as a date', { 'retry-after': new Date(at + 5000).toUTCString(), date }, 5000],
    ['never as a past date', { 'retry-after': new Date(at - 5000).toUTCString(), date }, undefined],
    ['never as zero', { 'retry-after': '0' }, undefined],
    [
      'as the reset, if the other header is zero',
      { 'retry-after': '0', 'ratelimit-reset': later },
      90_000,
    ],
    ['never as a past reset', { 'ratelimit-reset': String(at / 1000 - 1) }, undefined],
    ['never as seconds in place of the reset', { 'ratelimit-reset': '30' }, undefined],
    ['never as an unreadable value', { 'retry-after': '60 seconds' }, undefined],
    ['never as a number with text', { 'retry-after': 'in 60' }, undefined],
    [
      'as the reset, if no call is left',
      { 'ratelimit-remaining': '0', 'ratelimit-reset': later },
      90_000,
    ],
    ['as the reset alone', { 'ratelimit-reset': later }, 90_000],
    [
      'never while calls are left',
      { 'ratelimit-remaining': '1', 'ratelimit-reset': later },
      undefined,
    ],
    ['never as a reset in text', { 'ratelimit-reset': `${later}s` }, undefined],
    ['as its time', { 'ratelimit-resettime': new Date(at + 7000).toUTCString(), date }, 7000],
    ['absent', {}, undefined],
  ])('reports the wait: %s', (_, headers, waitMs) => {
    expect(parseRetryAfter(new Headers(headers), at)).toBe(waitMs);
  });

  const all = { 'ratelimit-limit': '600', 'ratelimit-remaining': '7', 'ratelimit-reset': later };
  test('reports the remaining calls, under either name', () => {
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
    ['a limit in text', { ...all, 'ratelimit-limit': '600/m' }],
    ['a remainder in text', { ...all, 'ratelimit-remaining': 'about 7' }],
    ['a reset at this moment', { ...all, 'ratelimit-reset': String(at / 1000) }],
  ])('reports no remaining calls with %s', (_, headers) => {
    expect(readAllowance(new Headers(headers), at)).toBeUndefined();
  });
});

describe('a retry', () => {
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

  test('waits for the requested time and a fraction of a second, and logs that it was requested', () => {
    expect(planRetry(situation(busy({ 'retry-after': '3' })))).toEqual({
      kind: 'repeat',
      afterMs: 3500,
      isFromServer: true,
    });
    expect(planRetry(situation(busy()))).toEqual({
      kind: 'repeat',
      afterMs: 250,
      isFromServer: false,
    });
  });

  test('ends if the wait exceeds the remaining time, and the reason names the requester', () => {
    const requested = situation(busy({ 'retry-after': '3' }), { leftMs: 3500 });
    expect(planRetry(requested)).toEqual({
      kind: 'stop',
      reason: 'it requests a wait of 4s, 1 attempts',
    });
    const withoutHint = situation(busy(), { leftMs: 250, attempts: 1 });
    expect(planRetry(withoutHint)).toEqual({ kind: 'stop', reason: '1 attempts' });
  });

  test.each<[AttemptOutcome, boolean, boolean]>([
    [{ kind: 'timeout' }, true, true],
    [{ kind: 'timeout' }, false, false],
    [{ kind: 'cancelled' }, true, false],
    [{ kind: 'too_large', status: 200 }, true, false],
    [{ kind: 'answer', answer: answered(500) }, false, false],
    [{ kind: 'answer', answer: answered(429) }, false, true],
    [{ kind: 'answer', answer: answered(404) }, true, false],
  ])('depends on the response %j, repeatable %s: %s', (outcome, repeatable, repeats) => {
    expect(planRetry(situation(outcome, { repeatable })).kind).toBe(repeats ? 'repeat' : 'stop');
  });

  test.each([
    ['GET', undefined, true],
    ['HEAD', undefined, true],
    ['POST', undefined, false],
    ['DELETE', undefined, false],
    ['POST', true, true],
    ['GET', false, false],
  ])('counts as harmless for %s, marked repeatable %s: %s', (method, repeatable, harmless) => {
    const url = new URL('https://gitlab.example.com');
    const marks = repeatable === undefined ? {} : { repeatable };
    expect(isRepeatable({ method, url, source: '', ...marks })).toBe(harmless);
  });
});
