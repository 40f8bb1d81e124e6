import { expect, test } from '@jest/globals';
import { allSettledOrThrow } from '../../../src/stages/context/parallel.ts';

test('a source that throws at once after a cancellation leaves no other request unawaited', async () => {
  let isAwaited = false;
  const slow = new Promise<never>((_, reject) => {
    setImmediate(() => reject(new Error('of the slow one')));
  });
  const calls = allSettledOrThrow(
    async () =>
      slow.finally(() => {
        isAwaited = true;
      }),
    () => {
      throw new Error('cancelled');
    },
  );
  // The first call in the order decides, after all have ended.
  await expect(calls).rejects.toThrow('of the slow one');
  expect(isAwaited).toBe(true);
});
