import { describe, expect, test } from '@jest/globals';
import { createCallBudget } from '../../src/adapters/transport/budget.ts';
import { fromPortFailure } from '../../src/errors/external-errors.ts';
import { failureOf } from '../support/failure-of.ts';
import { createFakeServer, createTestTransport, json } from './fake-server.ts';
import { createVirtualClock } from './virtual-clock.ts';

const signal = new AbortController().signal;
const answer = (status: number, headers: Record<string, string> = {}) => ({
  status,
  headers: new Headers(headers),
  body: '',
});

/** Asks so often at once, and answers when each was let out. */
async function letOut(
  enter: () => Promise<void> | undefined,
  { clock, calls }: { clock: ReturnType<typeof createVirtualClock>; calls: number },
): Promise<number[]> {
  const moments: number[] = [];
  const asked = Array.from({ length: calls }, async () => {
    const queued = enter();
    if (queued !== undefined) await queued;
    moments.push(clock.elapsed());
  });
  await Promise.all(asked);
  return moments;
}

describe('what one endpoint is asked by all stacks together', () => {
  test('goes out at once as far as the burst, then evenly, in the order of asking', async () => {
    const clock = createVirtualClock();
    const budget = createCallBudget({ clock, limits: { perMinute: 60, burst: 3 } });
    const moments = await letOut(() => budget.of('gitlab').enter(signal), { clock, calls: 6 });
    expect(moments).toEqual([0, 0, 0, 1000, 2000, 3000]);
  });

  test('is counted for each endpoint by itself', async () => {
    const clock = createVirtualClock();
    const budget = createCallBudget({ clock, limits: { perMinute: 60, burst: 1 } });
    const one = letOut(() => budget.of('one').enter(signal), { clock, calls: 2 });
    const other = letOut(() => budget.of('other').enter(signal), { clock, calls: 2 });
    expect([await one, await other]).toEqual([
      [0, 1000],
      [0, 1000],
    ]);
  });

  test('stays below 2,000 calls in every minute, however many thousand stacks ask', async () => {
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

  test('a cancel ends the queue at once', async () => {
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

describe('what an answer says about the calls that are left', () => {
  const inSeconds = (clock: ReturnType<typeof createVirtualClock>, seconds: number) =>
    String(clock.now() / 1000 + seconds);

  test('slows everybody down before there is a 429', async () => {
    const clock = createVirtualClock();
    const host = createCallBudget({ clock }).of('gitlab');
    await host.enter(signal);
    const left = { 'ratelimit-limit': '120', 'ratelimit-remaining': '10' };
    host.heed(answer(200, { ...left, 'ratelimit-reset': inSeconds(clock, 50) }));
    const moments = await letOut(() => host.enter(signal), { clock, calls: 12 });
    expect(moments.filter((at) => at < 50_000).length).toBeLessThanOrEqual(11);
    expect(moments.at(-1)).toBeGreaterThanOrEqual(49_000);
  });

  test('changes nothing while more than half is left, or where it says only a part', async () => {
    for (const headers of [
      { 'ratelimit-limit': '120', 'ratelimit-remaining': '80', 'ratelimit-reset': '9999999999' },
      { 'ratelimit-remaining': '1' },
      { 'ratelimit-limit': 'many', 'ratelimit-remaining': '1', 'ratelimit-reset': 'soon' },
      { 'ratelimit-limit': '120', 'ratelimit-remaining': '1', 'ratelimit-reset': '1' },
    ]) {
      const clock = createVirtualClock();
      const host = createCallBudget({ clock }).of('gitlab');
      host.heed(answer(200, headers));
      expect(await letOut(() => host.enter(signal), { clock, calls: 5 })).toEqual([0, 0, 0, 0, 0]);
    }
  });

  test('is counted in the whole period, although GitLab converts its limit to a minute', async () => {
    const clock = createVirtualClock();
    const host = createCallBudget({ clock }).of('gitlab');
    // 7,200 calls in 3,600 s.
    let observed = 0;
    const moments: number[] = [];
    for (let call = 0; call < 7200; call += 1) {
      const queued = host.enter(signal);
      if (queued !== undefined) await queued;
      moments.push(clock.elapsed());
      observed += 1;
      const left = { 'ratelimit-limit': '120', 'ratelimit-remaining': `${7200 - observed}` };
      const reset = inSeconds(clock, (3_600_000 - clock.elapsed()) / 1000).split('.')[0] ?? '';
      host.heed(
        answer(200, { ...left, 'ratelimit-observed': `${observed}`, 'ratelimit-reset': reset }),
      );
      if (clock.elapsed() >= 3_590_000) break;
    }
    const longest = Math.max(...moments.slice(1).map((at, index) => at - (moments[index] ?? 0)));
    expect(longest).toBeLessThan(3000);
    expect(moments.length).toBeGreaterThan(7000);
  });

  const years = String(4_000_000_000);
  test.each([
    [
      200,
      { 'ratelimit-limit': '120', 'ratelimit-remaining': '5', 'ratelimit-reset': years },
      60_000,
    ],
    [
      200,
      { 'x-ratelimit-limit': '5000', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': years },
      3_600_000,
    ],
    [429, { 'retry-after': '999999999999' }, 3_600_000],
    [429, { 'retry-after': '9'.repeat(400) }, 3_600_000],
    [429, { 'retry-after': 'Fri, 01 Jan 2100 00:00:00 GMT' }, 3_600_000],
    [403, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': years }, 3_600_000],
    [429, { 'ratelimit-resettime': 'Fri, 01 Jan 2100 00:00:00 GMT' }, 3_600_000],
    [429, { 'retry-after': '-5' }, 1000],
    [429, { 'retry-after': 'soon' }, 1000],
  ] as [number, Record<string, string>, number][])(
    'holds nobody back for years (%d, %j)',
    async (status, headers, mostMs) => {
      const clock = createVirtualClock();
      const host = createCallBudget({ clock, limits: { burst: 1 } }).of('gitlab');
      host.heed(answer(status, headers));
      const moments = await letOut(() => host.enter(signal), { clock, calls: 2 });
      expect(moments[1]).toBeLessThanOrEqual(mostMs + 100);
      if (status !== 200) expect(moments[0]).toBe(mostMs);
    },
  );

  test('a 429 to one stack holds all of them back for as long as it says', async () => {
    const clock = createVirtualClock();
    const host = createCallBudget({ clock }).of('gitlab');
    host.heed(answer(429, { 'retry-after': '30' }));
    const moments = await letOut(() => host.enter(signal), { clock, calls: 3 });
    expect(moments[0]).toBe(30_000);
    expect(new Set(moments).size).toBe(3);
  });

  test('a 429 that says nothing is rested from, each time twice as long', async () => {
    const clock = createVirtualClock();
    const host = createCallBudget({ clock }).of('gitlab');
    const moments: number[] = [];
    for (let call = 0; call < 4; call += 1) {
      await host.enter(signal);
      moments.push(clock.elapsed());
      // A second one that was on its way says no more than the first.
      host.heed(answer(429));
      host.heed(answer(429));
    }
    expect(moments).toEqual([0, 1000, 3000, 7000]);
  });
});

test('a call is not sent, and is throttled, where the rate limit closes for longer than a call may take', async () => {
  const clock = createVirtualClock();
  const budget = createCallBudget({ clock });
  const { fetch, requests } = createFakeServer(
    json(429, {}, { 'retry-after': '2700' }),
    json(200, {}),
  );
  const { transport } = createTestTransport(fetch, { budget, clock });
  const url = new URL('https://gitlab.example.com/api/v4/runners/1');
  const read = { method: 'GET', url, source: 'GitLab GET /runners/1' };
  await expect(transport(read)).rejects.toMatchObject({ kind: 'throttled' });
  const write = { ...read, method: 'PUT', source: 'GitLab PUT /runners/1' };
  const error = await failureOf(transport(write));
  expect(error).toMatchObject({ kind: 'throttled', effect: 'none' });
  expect(error.detail).toBe('its rate limit accepts the next call in 45m; the call was not sent');
  expect(fromPortFailure(error, 'hosted-runner prepare').exitCode).toBe(75);
  expect([clock.elapsed(), requests.length]).toEqual([0, 1]);
  await clock.sleep(2_700_000);
  expect(await transport(write)).toMatchObject({ status: 200 });
});

test('transports of different stacks share what one of them was told', async () => {
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
