import { expect, test } from '@jest/globals';
import { createFailFastMutex, createMutex } from '../../src/stages/record/mutex.ts';

test.each([
  ['continues after a failed task', createMutex, ['a', 'b', 'c'], 'c'],
  ['starts nothing after a failed task', createFailFastMutex, ['a', 'b'], 'b failed'],
] as const)('a sequence of tasks %s', async (_, make, done, last) => {
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
