import { expect, test } from '@jest/globals';
import { cropToWindow } from '../../../src/cli/terminal/crop.ts';

const note = (missing: number) => `… and ${missing} more`;
const lines = ['one', 'two', 'three', 'four'];

test.each([
  [{ columns: 40, rows: 5 }, ['one', 'two', 'three', 'four']],
  [{ columns: 40, rows: 4 }, ['one', 'two', '… and 2 more']],
  [{ columns: 40, rows: 3 }, ['one', '… and 3 more']],
  [{ columns: 40, rows: 1 }, ['… and 4 more']],
])('a window of %j keeps the first lines, and one line counts the rest', (size, left) => {
  expect(cropToWindow(lines, size, note).split('\n')).toEqual(left);
});

test('a wrapped line counts as the rows that it takes', () => {
  const wide = ['x'.repeat(25), 'two', 'three'];
  const size = { columns: 12, rows: 5 };
  expect(cropToWindow(wide, size, note).split('\n')).toEqual([wide[0], '… and 2 more']);
});

test('a colour takes no column', () => {
  const coloured = ['\u001b[32m12345678\u001b[39m', 'two'];
  expect(cropToWindow(coloured, { columns: 8, rows: 3 }, note).split('\n')).toEqual(coloured);
});
