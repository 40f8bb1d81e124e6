import { describe, expect, test } from '@jest/globals';
import { failureOf } from '../support/failure-of.ts';
import { createFakeServer, createTestTransport, json } from './fake-server.ts';
import { ok, read, write } from './requests.ts';

describe('cancelling', () => {
  const reason = new Error('cancelled by the CI');

  test('sends nothing any more', async () => {
    const server = createFakeServer(ok);
    const { transport } = createTestTransport(server.fetch, {
      signal: () => AbortSignal.abort(reason),
    });
    await expect(transport(write)).rejects.toBe(reason);
    expect(server.requests).toEqual([]);
  });

  const query = { ...write, method: 'POST', reads: true };
  test.each([
    ['a read', read],
    ['a query of GraphQL, which is sent by POST', query],
  ])('ends %s at once', async (_, request) => {
    const controller = new AbortController();
    const { transport, clock } = createTestTransport(createFakeServer('silence').fetch, {
      signal: () => controller.signal,
    });
    const call = transport(request);
    controller.abort(reason);
    await expect(call).rejects.toBe(reason);
    expect(clock.elapsed()).toBe(0);
  });

  test('ends a wait between attempts at once', async () => {
    const controller = new AbortController();
    const limited = new Response('', { status: 429, headers: { 'retry-after': '20' } });
    const { transport, clock } = createTestTransport(createFakeServer(limited).fetch, {
      signal: () => controller.signal,
      log: { event: () => controller.abort(reason) },
    });
    await expect(transport(write)).rejects.toBe(reason);
    expect(clock.elapsed()).toBe(0);
  });

  test('gives a write in flight five seconds and then says that its effect is unknown', async () => {
    const controller = new AbortController();
    const { transport, clock } = createTestTransport(createFakeServer('silence').fetch, {
      signal: () => controller.signal,
    });
    const call = failureOf(transport(write));
    controller.abort(reason);
    await expect(call).resolves.toMatchObject({
      effect: 'unknown',
      detail: 'cancelled before the answer came',
    });
    expect(clock.elapsed()).toBe(5000);
  });

  test('takes the answer of a write that comes in time', async () => {
    const controller = new AbortController();
    const { transport } = createTestTransport(
      async () => {
        controller.abort(reason);
        return json(201, { id: 7 });
      },
      { signal: () => controller.signal },
    );
    await expect(transport(write)).resolves.toMatchObject({ status: 201 });
  });
});
