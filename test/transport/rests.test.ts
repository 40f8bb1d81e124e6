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
  /** Asks once, and says how long it was kept. */
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

describe('a host that throttles without a word', () => {
  test('is left alone for a second, then for two, then for four', async () => {
    const { pacer, wait } = open();
    const waits: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      await wait();
      pacer.heed(answer(429));
      waits.push(await wait());
      pacer.heed(undefined);
    }
    expect(waits).toEqual([1000, 2000, 4000]);
  });

  test('is left alone for a second again once it has answered', async () => {
    const { pacer, wait } = open();
    await wait();
    pacer.heed(answer(429));
    await wait();
    pacer.heed(answer(200));
    await wait();
    pacer.heed(answer(429));
    expect(await wait()).toBe(1000);
  });

  test('is not left alone for longer by what was on its way when it said so', async () => {
    const { pacer, wait } = open(3);
    await wait();
    await wait();
    pacer.heed(answer(429));
    pacer.heed(answer(429));
    expect(await wait()).toBe(1000);
  });

  test('is left alone for as long as it says, which makes no later rest longer', async () => {
    const { pacer, wait } = open();
    await wait();
    pacer.heed(answer(429, { 'retry-after': '7' }));
    expect(await wait()).toBe(7000);
    pacer.heed(answer(429));
    expect(await wait()).toBe(1000);
  });
});

describe('what is left of a limit', () => {
  test('is spread over the time until it begins anew, without what is on its way', async () => {
    const { pacer, wait, left } = open(10);
    await wait();
    await wait();
    await wait();
    // Two are on their way, so that eight may go in sixteen seconds.
    pacer.heed(left(100, 10, 16_000));
    expect([await wait(), await wait(), await wait()]).toEqual([3, 2000, 2000]);
  });

  test('slows nobody down while more than half is there', async () => {
    const { pacer, wait, left } = open(10);
    await wait();
    pacer.heed(left(100, 51, 16_000));
    expect([await wait(), await wait(), await wait()]).toEqual([0, 0, 0]);
  });

  test('slows nobody down any more once it has begun anew', async () => {
    const { pacer, wait, left, clock } = open(10);
    await wait();
    pacer.heed(left(100, 1, 16_000));
    await wait();
    await clock.sleep(16_000, signal);
    expect([await wait(), await wait(), await wait()]).toEqual([0, 0, 0]);
  });

  test('is never less than one call', async () => {
    const { pacer, wait, left } = open(10);
    await wait();
    pacer.heed(left(100, 0, 16_000));
    await wait();
    expect(await wait()).toBe(16_000);
  });
});

test('who comes when nobody waits any more goes out at once', async () => {
  const { pacer, wait, clock } = open(1, 60);
  await Promise.all([wait(), wait(), wait()]);
  for (let call = 0; call < 3; call += 1) pacer.heed(answer(200));
  await clock.sleep(5000, signal);
  expect(pacer.enter(signal)).toBeUndefined();
  expect(pacer.enter(signal)).toBeDefined();
});
