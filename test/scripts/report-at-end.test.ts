import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { slowestOf } from '../../scripts/jest/report-at-end.js';
import { root } from '../support/program.ts';

test('lists the ten slowest suites of a run of more than ten, the slowest first', () => {
  const times = Array.from({ length: 11 }, (_, n) => ({
    path: join(root, `test/${n}.test.ts`),
    ms: 1000 * n,
  }));
  const [heading, ...lines] = slowestOf(times);
  expect(heading).toBe('The 10 slowest of 11 suites:');
  expect([lines.length, lines[0], lines.at(-1)]).toEqual([
    10,
    '   10.0 s  test/10.test.ts',
    '    1.0 s  test/1.test.ts',
  ]);
  expect(slowestOf(times.slice(1))).toEqual([]);
});
