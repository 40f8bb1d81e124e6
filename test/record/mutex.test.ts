import { expect, test } from '@jest/globals';
import { createFailFastMutex, createMutex } from '../../src/stages/record/mutex.ts';

test.each([
  ['goes on after one that has failed', createMutex, ['a', 'b', 'c'], 'c'],
  ['begins nothing after one that has failed', createFailFastMutex, ['a', 'b'], 'b failed'],
] as const)('what is done one after the other %s', async (_, make, done, last) => {
  const turn = make();
  const began: string[] = [];
  const act = (name: string) =>
    turn(async () => {
      began.push(name);
      await Promise.resolve();
      if (name === 'b') throw new Error('b failed');
      return name;
    });
  const ends = await Promise.all(
    ['a', 'b', 'c'].map((name) => act(name).catch((error: Error) => error.message)),
  );
  expect(began).toEqual(done);
  expect(ends).toEqual(['a', 'b failed', last]);
});
