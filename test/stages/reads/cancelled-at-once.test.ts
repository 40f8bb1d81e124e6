import { expect, test } from '@jest/globals';
import { allSettledOrThrow } from '../../../src/stages/context/parallel.ts';

test('a source that throws at once, after a cancel, leaves no other one that nobody awaits', async () => {
  let isAwaited = false;
  const slow = new Promise<never>((_, reject) => {
    setImmediate(() => reject(new Error('of the slow one')));
  });
  const asked = allSettledOrThrow(
    async () =>
      slow.finally(() => {
        isAwaited = true;
      }),
    () => {
      throw new Error('cancelled');
    },
  );
  // The first in the order, once all have ended.
  await expect(asked).rejects.toThrow('of the slow one');
  expect(isAwaited).toBe(true);
});
