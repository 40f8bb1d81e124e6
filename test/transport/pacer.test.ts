import { describe, expect, test } from '@jest/globals';
import { createCallBudget } from '../../src/adapters/transport/budget.ts';
import { fromPortFailure } from '../../src/errors/external-errors.ts';
import { failureOf } from '../support/failure-of.ts';
import { createFakeServer, createTestTransport, json } from './fake-server.ts';
import { ok, read } from './requests.ts';
import { createVirtualClock } from './virtual-clock.ts';

const signal = new AbortController().signal;
const answer = (status: number, headers: Record<string, string> = {}) => ({
  status,
  headers: new Headers(headers),
  body: '',
});

/** Sends `calls` requests at once. Returns when each was released. */
async function letOut(
  enter: () => Promise<void> | undefined,
  { clock, calls }: { clock: ReturnType<typeof createVirtualClock>; calls: number },
): Promise<number[]> {
  const moments: number[] = [];
  const entries = Array.from({ length: calls }, async () => {
    const queued = enter();
    if (queued !== undefined) await queued;
    moments.push(clock.elapsed());
  });
  await Promise.all(entries);
  return moments;
}

describe('the calls of all stacks to one endpoint', () => {
  test('start at once up to the burst, then evenly, in the order of the requests', async () => {
    const clock = createVirtualClock();
    const budget = createCallBudget({ clock, limits: { perMinute: 60, burst: 3 } });
    const moments = await letOut(() => budget.of('gitlab').enter(signal), { clock, calls: 6 });
    expect(moments).toEqual([0, 0, 0, 1000, 2000, 3000]);
  });

  test('count for each endpoint separately', async () => {
    const clock = createVirtualClock();
    const budget = createCallBudget({ clock, limits: { perMinute: 60, burst: 1 } });
    const one = letOut(() => budget.of('one').enter(signal), { clock, calls: 2 });
    const other = letOut(() => budget.of('other').enter(signal), { clock, calls: 2 });
    expect([await one, await other]).toEqual([
      [0, 1000],
      [0, 1000],
    ]);
  });

  test('stay below 2,000 in every minute, however many thousand stacks call', async () => {
    const clock = createVirtualClock();
    const host = createCallBudget({ clock }).of('gitlab.com');
    const moments = await letOut(() => host.enter(signal), { clock, calls: 5000 });
    const most = Math.max(
      ...moments.map((from, index) => {
        const rest = moments.slice(index);
        const end = rest.findIndex((at) => at >= from + 60_000);
        return end === -1 ? rest.length : end;
      }),
    );
    expect(most).toBeGreaterThan(1000);
    expect(most).toBeLessThan(2000);
  });

  test('end at once if a cancellation ends the queue', async () => {
    const clock = createVirtualClock();
    const host = createCallBudget({ clock, limits: { perMinute: 1, burst: 1 } }).of('gitlab');
    const cancel = new AbortController();
    const reason = new Error('received SIGTERM');
    await host.enter(cancel.signal);
    const queued = [1, 2, 3].map(() => host.enter(cancel.signal));
    cancel.abort(reason);
    const ends = await Promise.allSettled(queued);
    expect(ends).toEqual([1, 2, 3].map(() => ({ status: 'rejected', reason })));
    expect(clock.elapsed()).toBe(0);
  });
});

describe('the delay after a refusal', () => {
  const years = String(4_000_000_000);
  test.each([
    [429, { 'retry-after': '999999999999' }, 3_600_000],
    [429, { 'retry-after': '9'.repeat(400) }, 3_600_000],
    [429, { 'retry-after': 'Fri, 01 Jan 2100 00:00:00 GMT' }, 3_600_000],
    [403, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': years }, 3_600_000],
    [429, { 'ratelimit-resettime': 'Fri, 01 Jan 2100 00:00:00 GMT' }, 3_600_000],
    [429, { 'retry-after': '-5' }, 1000],
    [429, { 'retry-after': 'soon' }, 1000],
  ] as [number, Record<string, string>, number][])(
    'never lasts for years (%d, %j)',
    async (status, headers, mostMs) => {
      const clock = createVirtualClock();
      const host = createCallBudget({ clock, limits: { burst: 1 } }).of('gitlab');
      host.note(answer(status, headers));
      const moments = await letOut(() => host.enter(signal), { clock, calls: 2 });
      expect(moments[1]).toBeLessThanOrEqual(mostMs + 100);
      expect(moments[0]).toBe(mostMs);
    },
  );
});

test('a call is throttled, not sent, if the rate limit closes for longer than a call may take', async () => {
  const clock = createVirtualClock();
  const budget = createCallBudget({ clock });
  const { fetch, requests } = createFakeServer(
    json(429, {}, { 'retry-after': '2700' }),
    json(200, {}),
  );
  const { transport } = createTestTransport(fetch, { budget, clock });
  const url = new URL('https://gitlab.example.com/api/v4/runners/1');
  const one = { method: 'GET', url, source: 'GitLab GET /runners/1' };
  await expect(transport(one)).rejects.toMatchObject({ kind: 'throttled' });
  const write = { ...one, method: 'PUT', source: 'GitLab PUT /runners/1' };
  const error = await failureOf(transport(write));
  expect(error).toMatchObject({ kind: 'throttled', effect: 'none' });
  expect(error.detail).toBe('its rate limit accepts the next call in 45m; the call was not sent');
  expect(fromPortFailure(error, 'hosted-runner prepare').exitCode).toBe(75);
  expect([clock.elapsed(), requests.length]).toEqual([0, 1]);
  await clock.sleep(2_700_000);
  expect(await transport(write)).toMatchObject({ status: 200 });
});

test('transports of different stacks share a delay that one of them received', async () => {
  const clock = createVirtualClock();
  const budget = createCallBudget({ clock });
  const busy = createFakeServer(json(429, {}, { 'retry-after': '20' }), json(200, {}));
  const free = createFakeServer(json(200, {}));
  const one = createTestTransport(busy.fetch, { budget, clock });
  const other = createTestTransport(free.fetch, { budget, clock });
  const url = new URL('https://gitlab.example.com/api/v4/runners/1');
  await one.transport({ method: 'GET', url, source: 'GitLab GET /runners/1' });
  const since = clock.elapsed();
  expect(since).toBeGreaterThanOrEqual(20_000);
  await other.transport({ method: 'GET', url, source: 'GitLab GET /runners/1' });
  expect(busy.requests).toHaveLength(2);
});

test("a wait uses the server's clock, not the local one, and is spread over a second", async () => {
  const headers = {
    date: 'Mon, 02 Nov 2026 11:30:00 GMT',
    'retry-after': 'Mon, 02 Nov 2026 11:30:10 GMT',
  };
  const limited = new Response('', { status: 429, headers });
  const { transport, clock } = createTestTransport(createFakeServer(limited, ok).fetch);
  await transport(read);
  expect(clock.slept).toEqual([10_500]);
});

test('a call backs off by itself if the rate limiter gives no time', async () => {
  const words = { message: { error: 'This endpoint has been requested too many times.' } };
  const { transport, clock } = createTestTransport(createFakeServer(json(429, words), ok).fetch);
  await transport(read);
  // The waits are the call's own backoff, and the rest period of the whole process for this host.
  expect(clock.slept).toEqual([250, 750]);
});
