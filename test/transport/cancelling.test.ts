import { describe, expect, test } from '@jest/globals';
import { failureOf } from '../support/failure-of.ts';
import { createFakeServer, createTestTransport, json } from './fake-server.ts';
import { ok, read, write } from './requests.ts';

describe('a cancellation', () => {
  const reason = new Error('cancelled by the CI');

  test('stops every further call', async () => {
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
    ['a GraphQL query, which is sent by POST', query],
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

  test('waits five seconds for a write in flight, then reports its effect as unknown', async () => {
    const controller = new AbortController();
    const { transport, clock } = createTestTransport(createFakeServer('silence').fetch, {
      signal: () => controller.signal,
    });
    const call = failureOf(transport(write));
    controller.abort(reason);
    await expect(call).resolves.toMatchObject({
      effect: 'unknown',
      detail: 'canceled before the response',
    });
    expect(clock.elapsed()).toBe(5000);
  });

  test('accepts the response of a write that arrives in time', async () => {
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
