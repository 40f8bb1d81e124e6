import { expect, test } from '@jest/globals';
import { read } from '../structure/tree.ts';
import { renderAlphas, renderCurve } from './curve.ts';

const alphas = renderAlphas();

test.each([
  ['how soon a bad shard is rolled back', renderCurve()],
  ['the effect of another alpha', alphas],
])('docs/use/bake.md shows the computed table: %s', (_, table) => {
  expect(read('docs/use/bake.md')).toContain(table);
});

test('the default alpha gives 0.094 % of 1,000 good jobs and medians of 58 and 9 jobs', () => {
  expect(alphas).toContain('| 0.00017, the default | 0.094 % | 226 | 58 | 9 |');
});
