import { describe, expect, test } from '@jest/globals';
import { failureOf } from '../support/failure-of.ts';
import { createFakeServer, createTestTransport, json } from './fake-server.ts';
import { ok, read, write } from './requests.ts';

describe('waiting as told', () => {
  const date = 'Mon, 02 Nov 2026 10:00:00 GMT';
  const later = 'Mon, 02 Nov 2026 10:00:42 GMT';
  const resetAt = String(Date.parse(later) / 1000);
  const told: [string, Record<string, string>, number][] = [
    ['Retry-After in seconds', { 'retry-after': '60' }, 60_000],
    ['Retry-After as a date', { 'retry-after': later }, 42_000],
    [
      'RateLimit-Reset where nothing remains',
      { 'ratelimit-remaining': '0', 'ratelimit-reset': resetAt },
      42_000,
    ],
    ['RateLimit-ResetTime', { 'ratelimit-resettime': later }, 42_000],
  ];
  test.each(told)('obeys %s, spread over a second', async (_, headers, waitMs) => {
    const limited = new Response('Retry later', { status: 429, headers: { date, ...headers } });
    const { transport, clock } = createTestTransport(createFakeServer(limited, ok).fetch);
    await transport(read);
    expect(clock.slept).toEqual([waitMs + 500]);
  });

  test("counts by the server's clock, not by ours", async () => {
    const headers = {
      date: 'Mon, 02 Nov 2026 11:30:00 GMT',
      'retry-after': 'Mon, 02 Nov 2026 11:30:10 GMT',
    };
    const limited = new Response('', { status: 429, headers });
    const { transport, clock } = createTestTransport(createFakeServer(limited, ok).fetch);
    await transport(read);
    expect(clock.slept).toEqual([10_500]);
  });

  test('backs off by itself where the limiter says nothing', async () => {
    const words = { message: { error: 'This endpoint has been requested too many times.' } };
    const { transport, clock } = createTestTransport(createFakeServer(json(429, words), ok).fetch);
    await transport(read);
    // Its own step, and the rest that the whole process gives such a host.
    expect(clock.slept).toEqual([250, 750]);
  });

  test('gives up at once where the wait is longer than the call may take', async () => {
    const limited = new Response('Retry later', {
      status: 429,
      headers: { 'retry-after': '3600' },
    });
    const { transport, clock } = createTestTransport(createFakeServer(limited).fetch);
    const error = await failureOf(transport(write));
    expect(error.detail).toBe('answered 429: Retry later (it asks to wait 3601s, 1 attempts)');
    expect(error).toMatchObject({ kind: 'throttled', effect: 'none' });
    expect(clock.slept).toEqual([]);
  });
});
