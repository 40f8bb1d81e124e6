import { expect, test } from '@jest/globals';
import { createSystemClock } from '../../src/adapters/system/system-clock.ts';
import { createSystemRandom } from '../../src/adapters/system/system-random.ts';

test('a sleep ends with the reason of its signal as soon as it is aborted', async () => {
  const abort = new AbortController();
  const sleep = createSystemClock().sleep(3_600_000, abort.signal);
  abort.abort(new Error('cancelled by a person'));
  await expect(sleep).rejects.toThrow('cancelled by a person');
});

test('a sleep with an aborted signal does not begin', async () => {
  const signal = AbortSignal.abort(new Error('cancelled before'));
  await expect(createSystemClock().sleep(0, signal)).rejects.toThrow('cancelled before');
});

test('a sleep longer than a timer can hold does not end at once', async () => {
  const abort = new AbortController();
  const clock = createSystemClock();
  const winner = await Promise.race([
    clock.sleep(2 ** 33, abort.signal).then(
      () => 'long',
      () => 'aborted',
    ),
    clock.sleep(20).then(() => 'short'),
  ]);
  abort.abort();
  expect(winner).toBe('short');
});

test('ids are 16 lower-case letters and digits, and differ', () => {
  const random = createSystemRandom();
  const ids = Array.from({ length: 200 }, () => random.id());
  expect(ids.every((id) => /^[a-z0-9]{16}$/.test(id))).toBe(true);
  expect(new Set(ids).size).toBe(200);
  const fractions = Array.from({ length: 200 }, () => random.fraction());
  expect(fractions.every((fraction) => fraction >= 0 && fraction < 1)).toBe(true);
});
