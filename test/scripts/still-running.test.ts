import { expect, test } from '@jest/globals';
import { wordsFor } from '../../scripts/jest/still-running.js';

test('a run that is ended names the unfinished suites and their durations', () => {
  const running = new Map([
    ['/x/a.test.ts', 1000],
    ['/x/b.test.ts', 61_000],
  ]);
  expect(wordsFor(running, 121_000)).toBe(
    [
      'Ended from outside. Still running:',
      '  /x/a.test.ts, for 120 s',
      '  /x/b.test.ts, for 60 s',
    ].join('\n'),
  );
  expect(wordsFor(new Map(), 0)).toBe('Ended from outside, while no suite was running.');
});
