import { AsyncLocalStorage } from 'node:async_hooks';
import { describe, expect, test } from '@jest/globals';
import { openCalls } from '../../src/app/compose/port-calls.ts';
import type { Ports } from '../../src/ports/ports.ts';

const reason = new Error('received SIGTERM');

/** Seals ports that only have `registry.find` and `infrastructure.destroy`. */
function seal(answers: { find?: () => Promise<unknown>; destroy?: () => AsyncIterable<unknown> }) {
  const controller = new AbortController();
  const ports = { registry: { find: answers.find }, infrastructure: { destroy: answers.destroy } };
  const { cancelable: sealed } = openCalls({
    signal: controller.signal,
    stage: 'provision',
    again: 'hosted-runner provision --runner linux',
  }).around(ports as unknown as Ports);
  return { sealed, cancel: () => controller.abort(reason) };
}

const cancellation = { code: 'Cancelled', exitCode: 130, message: 'provision was cancelled.' };

describe('a cancelled run', () => {
  test('reports an interrupted call as the cancellation', async () => {
    let breakOff = (_: Error) => {};
    const { sealed, cancel } = seal({
      find: () =>
        new Promise((_, reject) => {
          breakOff = reject;
        }),
    });
    const answer = sealed.registry.find('1' as never);
    cancel();
    breakOff(reason);
    await expect(answer).rejects.toMatchObject(cancellation);
  });

  test('reports an interrupted stream as the cancellation', async () => {
    const { sealed, cancel } = seal({
      async *destroy() {
        yield { kind: 'progress', text: 'one' };
        throw reason;
      },
    });
    const events = sealed.infrastructure.destroy({} as never)[Symbol.asyncIterator]();
    await events.next();
    cancel();
    await expect(events.next()).rejects.toMatchObject(cancellation);
  });

  test('begins no further call', () => {
    const { sealed, cancel } = seal({ find: () => Promise.reject(new Error('was begun')) });
    cancel();
    expect(() => sealed.registry.find('1' as never)).toThrow('provision was cancelled.');
  });
});

test('an error without a cancellation stays unchanged', async () => {
  const { sealed } = seal({ find: () => Promise.reject(reason) });
  await expect(sealed.registry.find('1' as never)).rejects.toBe(reason);
});

test('an adapter receives the signal of its call, at each step of a stream', async () => {
  const scope = new AsyncLocalStorage<AbortSignal>();
  const { signal } = new AbortController();
  const calls = openCalls({ signal, stage: 'provision', again: '', scope });
  const find = async () => scope.getStore();
  async function* destroy() {
    yield scope.getStore();
    yield find();
  }
  const ports = { registry: { find }, infrastructure: { destroy } } as unknown as Ports;
  const { cancelable, uncancelable } = calls.around(ports);
  expect(await cancelable.registry.find('1' as never)).toBe(signal);
  for await (const seen of cancelable.infrastructure.destroy({} as never))
    expect(seen).toBe(signal);
  const lasting = (await uncancelable.registry.find('1' as never)) as unknown as AbortSignal;
  expect(lasting.aborted).toBe(false);
  calls.end();
  expect(lasting.aborted).toBe(true);
});
