import { describe, expect, test } from '@jest/globals';
import { createPacer } from '../../src/adapters/transport/pacer.ts';
import { createVirtualClock } from './virtual-clock.ts';

const signal = new AbortController().signal;
const answer = (status: number, headers: Record<string, string> = {}) => ({
  status,
  headers: new Headers(headers),
  body: '',
});

function open(burst = 1, perMinute = 60_000) {
  const clock = createVirtualClock();
  const pacer = createPacer(clock, { perMinute, burst });
  /** Sends one request. Returns how long it was delayed. */
  const wait = async () => {
    const from = clock.elapsed();
    await pacer.enter(signal);
    return clock.elapsed() - from;
  };
  const left = (limit: number, remaining: number, inMs: number) =>
    answer(200, {
      'ratelimit-limit': String(limit),
      'ratelimit-remaining': String(remaining),
      'ratelimit-reset': String(Math.round((clock.now() + inMs) / 1000)),
    });
  return { clock, pacer, wait, left };
}

describe('a host that throttles without a time', () => {
  test.each([
    [{}],
    [{ 'retry-after': '0' }],
    [{ 'retry-after': 'Mon, 02 Nov 2026 09:59:00 GMT' }],
    [{ 'ratelimit-remaining': '0', 'ratelimit-reset': '1793606000' }],
    [{ 'ratelimit-remaining': '0', 'ratelimit-reset': '30' }],
  ])('rests longer each time, even if it reports a time in the past: %j', async (headers) => {
    const { pacer, wait } = open();
    const waits: number[] = [];
    await wait();
    for (let round = 0; round < 5; round += 1) {
      pacer.note(answer(429, headers));
      waits.push(await wait());
    }
    expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000]);
  });

  test('rests for one second again once it has responded', async () => {
    const { pacer, wait } = open();
    await wait();
    pacer.note(answer(429));
    await wait();
    pacer.note(answer(200));
    await wait();
    pacer.note(answer(429));
    expect(await wait()).toBe(1000);
  });

  test('rests no longer because of calls in flight at the refusal', async () => {
    const { pacer, wait } = open(3);
    await wait();
    await wait();
    pacer.note(answer(429));
    pacer.note(answer(429));
    expect(await wait()).toBe(1000);
  });

  test('rests for the reported time, which makes no later rest longer', async () => {
    const { pacer, wait } = open();
    await wait();
    pacer.note(answer(429, { 'retry-after': '7' }));
    expect(await wait()).toBe(7000);
    pacer.note(answer(429));
    expect(await wait()).toBe(1000);
  });
});

describe('the remaining calls of a limit', () => {
  test('spread over the time until the reset, without the calls in flight', async () => {
    const { pacer, wait, left } = open(10);
    await wait();
    await wait();
    await wait();
    // Eleven calls remain. The process may use nine, and two of these are in flight, so seven are
    // left for fourteen seconds.
    pacer.note(left(100, 11, 14_000));
    expect([await wait(), await wait(), await wait()]).toEqual([0, 2000, 2000]);
  });

  test('delay no call while more than half is left', async () => {
    const { pacer, wait, left } = open(10);
    await wait();
    pacer.note(left(100, 51, 16_000));
    expect([await wait(), await wait(), await wait()]).toEqual([0, 0, 0]);
  });

  test('delay no call after the reset', async () => {
    const { pacer, wait, left, clock } = open(10);
    await wait();
    pacer.note(left(100, 1, 16_000));
    await wait();
    await clock.sleep(16_000, signal);
    expect([await wait(), await wait(), await wait()]).toEqual([0, 0, 0]);
  });

  test.each([
    [5, 3_000_000],
    [29, 300_000],
  ])('delay a call by at most ten seconds: %i calls for %i ms', async (calls, inMs) => {
    const { pacer, wait, left } = open(10);
    await wait();
    pacer.note(left(7200, calls, inMs));
    await wait();
    expect([await wait(), await wait()]).toEqual([10_000, 10_000]);
  });

  test.each([
    [{ 'ratelimit-limit': '60', 'ratelimit-remaining': '5' }],
    [{ 'ratelimit-limit': '60', 'ratelimit-reset': '1793606400' }],
    [{ 'ratelimit-remaining': '5', 'ratelimit-reset': '1793606400' }],
    [{ 'ratelimit-limit': '60', 'ratelimit-remaining': '-5', 'ratelimit-reset': '1793606400' }],
    [{ 'ratelimit-limit': '60', 'ratelimit-remaining': '5', 'ratelimit-reset': 'in an hour' }],
    [{ 'ratelimit-limit': '60', 'ratelimit-remaining': '5', 'ratelimit-reset': '1000' }],
    [{ 'ratelimit-limit': '', 'ratelimit-remaining': '', 'ratelimit-reset': '' }],
  ])('stay unknown if the headers are incomplete or the reset has passed: %j', async (headers) => {
    const { pacer, wait } = open(10);
    await wait();
    pacer.note(answer(200, headers));
    expect([await wait(), await wait(), await wait()]).toEqual([0, 0, 0]);
  });

  test.each([
    ['7200 an hour', { limit: 120, observed: 200, remaining: 7000 }, 3_600_000, 0],
    ['7200 an hour', { limit: 120, observed: 5200, remaining: 2000 }, 1_800_000, 1000],
    ['600 a minute', { limit: 600, observed: 533, remaining: 67 }, 30_000, 500],
    ['600 a minute, unobserved', { limit: 600, remaining: 67 }, 30_000, 500],
    [
      '7200 an hour, invalid observed value',
      { limit: 120, observed: 'x', remaining: 1801 },
      1_800_000,
      0,
    ],
  ])('follow from the limit of the period: %s, %j', async (_, limits, inMs, paceMs) => {
    const { clock, pacer, wait } = open(100);
    await wait();
    const reset = String(Math.round((clock.now() + inMs) / 1000));
    const words = Object.entries({ ...limits, reset });
    pacer.note(
      answer(200, Object.fromEntries(words.map(([name, is]) => [`ratelimit-${name}`, `${is}`]))),
    );
    await wait();
    const waited = await wait();
    expect(Math.round(waited / 100) * 100).toBe(paceMs);
  });

  test('count as at least one, however many calls are in flight', async () => {
    const { pacer, wait, left } = open(10);
    for (let call = 0; call < 5; call += 1) await wait();
    pacer.note(left(100, 4, 8000));
    expect([await wait(), await wait()]).toEqual([0, 8000]);
  });

  test('allow no call before the reset if none is left', async () => {
    const { clock, pacer, wait, left } = open(10);
    await wait();
    pacer.note(left(100, 0, 16_000));
    const write = pacer.enter(signal, { isWrite: true });
    expect([write, await wait(), clock.elapsed()]).toEqual([expect.any(Promise), 16_000, 16_000]);
  });

  test('reserve the last call for a write', async () => {
    const { clock, pacer, wait, left } = open(10);
    await wait();
    pacer.note(left(100, 1, 16_000));
    const read = wait();
    expect(pacer.enter(signal, { isWrite: true })).toBeUndefined();
    expect([await read, clock.elapsed()]).toEqual([16_000, 16_000]);
  });

  test.each([0, 1])('cause a wait of an hour at most, whatever the reset: %i', async (calls) => {
    const { pacer, wait, left } = open(10);
    await wait();
    pacer.note(left(100, calls, 10 * 365 * 86_400_000));
    expect(await wait()).toBe(3_600_000);
  });

  test('delay calls only if the limit covers all of them, unlike GitHub’s separate kinds', async () => {
    const { clock, pacer, wait } = open(10);
    const none = {
      'x-ratelimit-limit': '30',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': String(clock.now() / 1000 + 600),
    };
    await wait();
    pacer.note(answer(200, { ...none, 'x-ratelimit-resource': 'code_search' }));
    expect([await wait(), await wait()]).toEqual([0, 10_000]);
    pacer.note(answer(200, { ...none, 'x-ratelimit-resource': 'core' }));
    expect(await wait()).toBe(590_000);
  });
});

test('a call goes out at once after the queue has emptied', async () => {
  const { pacer, wait, clock } = open(1, 60);
  await Promise.all([wait(), wait(), wait()]);
  for (let call = 0; call < 3; call += 1) pacer.note(answer(200));
  await clock.sleep(5000, signal);
  expect(pacer.enter(signal)).toBeUndefined();
  expect(pacer.enter(signal)).toBeDefined();
});
