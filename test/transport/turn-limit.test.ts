import { describe, expect, test } from '@jest/globals';
import { createCallBudget } from '../../src/adapters/transport/budget.ts';
import { createPacer, TurnTooFar } from '../../src/adapters/transport/pacer.ts';
import { failureOf } from '../support/failure-of.ts';
import { createFakeServer, createTestTransport, json } from './fake-server.ts';
import { ok, read, write } from './requests.ts';
import { createVirtualClock, type VirtualClock } from './virtual-clock.ts';

const signal = new AbortController().signal;
const answer = (status: number, headers: Record<string, string> = {}) => ({
  status,
  headers: new Headers(headers),
  body: '',
});
/** Rate limit so low that a read is sent every ten seconds. */
const few = (clock: VirtualClock) => ({
  'ratelimit-limit': '7200',
  'ratelimit-remaining': '300',
  'ratelimit-reset': String(clock.now() / 1000 + 3000),
});

function open(burst = 1, perMinute = 60_000) {
  const clock = createVirtualClock();
  return { clock, pacer: createPacer(clock, { perMinute, burst }) };
}

describe('a call whose turn is too far away', () => {
  const at = (error: unknown) => (error as TurnTooFar).delay.ms;

  test('causes a refusal with its wait, and the host is queried again after the rest', async () => {
    const { clock, pacer } = open();
    pacer.note(answer(429, { 'retry-after': '2700' }));
    const error = await pacer
      .enter(signal, { mostMs: 180_000 })
      ?.catch((thrown: unknown) => thrown);
    expect([error, at(error), clock.elapsed()]).toEqual([expect.any(TurnTooFar), 2_700_000, 0]);
    await clock.sleep(2_600_000, signal);
    await pacer.enter(signal, { mostMs: 180_000 });
    expect(clock.elapsed()).toBe(2_700_000);
  });

  test('causes a refusal if a response to another call delays its turn', async () => {
    const { clock, pacer } = open(1, 60);
    await pacer.enter(signal);
    const queued = pacer.enter(signal, { mostMs: 180_000 })?.catch((thrown: unknown) => thrown);
    await clock.sleep(500);
    pacer.note(answer(429, { 'retry-after': '600' }));
    const error = await queued;
    expect([at(error) > 180_000, clock.elapsed()]).toEqual([true, 1000]);
  });

  test('causes a refusal after the same time, however many spread reads wait before it', async () => {
    const { clock, pacer } = open(10);
    await pacer.enter(signal);
    pacer.note(answer(200, few(clock)));
    const calls = Array.from({ length: 100 }, async () => {
      await pacer.enter(signal, { mostMs: 180_000 });
      return clock.elapsed();
    });
    const refusals = calls.map((call) => call.catch(() => clock.elapsed()));
    const ends = await Promise.allSettled(calls);
    const sent = ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : []));
    expect(sent).toEqual(Array.from({ length: 19 }, (_, call) => call * 10_000));
    expect((await Promise.all(refusals)).slice(19)).toEqual(Array(81).fill(180_000));
  });

  test('does not take the turn of the next call', async () => {
    const { clock, pacer } = open();
    pacer.note(answer(429, { 'retry-after': '100' }));
    const short = pacer.enter(signal, { mostMs: 50_000 })?.catch(at);
    const patient = pacer.enter(signal, { mostMs: 180_000 });
    expect(await short).toBe(100_000);
    await patient;
    expect(clock.elapsed()).toBe(100_000);
  });
});

test('a read that waited behind others for too long fails as throttled', async () => {
  const clock = createVirtualClock();
  const budget = createCallBudget({ clock });
  const { fetch, requests } = createFakeServer(ok);
  const { transport } = createTestTransport(fetch, { budget, clock });
  await transport(read);
  budget.of(read.url.host).note(answer(200, few(clock)));
  const calls = Array.from({ length: 30 }, () => transport(read));
  await Promise.all(calls.slice(0, 19));
  const error = await failureOf(calls[29] as Promise<unknown>);
  await Promise.allSettled(calls);
  expect(error).toMatchObject({ kind: 'throttled', effect: 'none' });
  expect(error.detail).toBe(
    'its rate limit accepts the next call in 10s; the call was not sent (queued for 3m)',
  );
  // A caller that repeats it could also repeat an earlier write.
  expect(error.againInMs).toBeUndefined();
  expect([requests.length, clock.elapsed()]).toEqual([20, 180_000]);
});

describe('a write with a time limit', () => {
  test('never goes out more than 30 s after the request, and fails with the time of the next call', async () => {
    const { fetch, requests } = createFakeServer(json(429, {}, { 'retry-after': '50' }), ok);
    const { transport, clock } = createTestTransport(fetch);
    const refused = await failureOf(transport(write));
    expect(refused).toMatchObject({ kind: 'throttled', effect: 'none', againInMs: 50_000 });
    const queued = await failureOf(transport(write));
    expect(queued).toMatchObject({ kind: 'throttled', effect: 'none', againInMs: 50_000 });
    expect([requests.length, clock.elapsed()]).toEqual([1, 0]);
    await clock.sleep(50_000);
    await transport(write);
    expect([requests.length, clock.elapsed()]).toEqual([2, 50_000]);
  });

  test('continues with retries for 30 s in all, whatever its attempts wait for', async () => {
    const { fetch, requests } = createFakeServer(json(429, {}, { 'retry-after': '12' }));
    const { transport, clock } = createTestTransport(fetch);
    expect(await failureOf(transport(write))).toMatchObject({ againInMs: 12_000 });
    expect([requests.length, clock.elapsed()]).toEqual([3, 25_000]);
  });

  test('fails with the last response if none of its retries is accepted in time', async () => {
    const { fetch, requests } = createFakeServer(json(429, { message: 'Retry later' }));
    const { transport, clock } = createTestTransport(fetch);
    const refused = await failureOf(transport(write));
    expect(refused).toMatchObject({ kind: 'throttled', status: 429, againInMs: 16_000 });
    expect(refused.detail).toBe('answered 429: Retry later (5 attempts)');
    expect([requests.length, clock.elapsed()]).toEqual([5, 15_000]);
  });

  test('continues soon, although reads wait because few calls are left', async () => {
    const clock = createVirtualClock();
    const last = {
      'ratelimit-limit': '600',
      'ratelimit-remaining': '1',
      'ratelimit-reset': String(clock.now() / 1000 + 60),
    };
    const { fetch } = createFakeServer(
      json(200, {}, last),
      json(429, {}, { 'retry-after': '2' }),
      ok,
    );
    const { transport } = createTestTransport(fetch, { clock });
    await transport(read);
    await transport(write);
    expect(clock.elapsed()).toBeLessThan(4000);
  });

  test('waits in the queue for 30 s at most', async () => {
    const clock = createVirtualClock();
    const budget = createCallBudget({ clock, limits: { perMinute: 6, burst: 1 } });
    const { transport } = createTestTransport(createFakeServer(ok).fetch, { budget, clock });
    const sent = await Promise.allSettled(Array.from({ length: 9 }, () => transport(write)));
    expect(sent.filter(({ status }) => status === 'fulfilled')).toHaveLength(4);
    expect(clock.elapsed()).toBe(30_000);
  });
});
