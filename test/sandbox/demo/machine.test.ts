import { expect, test } from '@jest/globals';
import { chooseFactor } from '../../../sandbox/demo/play/machine.ts';

test.each([
  ['a usual computer', [150, 150, 150], 1],
  ['a faster one, which the demo is no faster for', [40, 41, 39], 1],
  ['one start that another program held up', [140, 900, 150], 1],
  ['a computer of a third of the speed', [440, 450, 470], 3],
  ['one that hardly moves', [60_000, 60_000, 60_000], 10],
])('the factor of %s', (_, tookMs, factor) => {
  expect(chooseFactor(tookMs)).toBe(factor);
});
