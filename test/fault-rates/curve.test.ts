import { expect, test } from '@jest/globals';
import { read } from '../structure/tree.ts';
import { renderAlphas, renderCurve } from './curve.ts';

const alphas = renderAlphas();

test.each([
  ['how soon a shard is taken back', renderCurve()],
  ['what another alpha buys', alphas],
])('docs/use/bake.md says %s, as it is computed', (_, table) => {
  expect(read('docs/use/bake.md')).toContain(table);
});

test('0.094 % of 1,000 good jobs and half of the bad shards within 58 and 9 jobs are what the judge was chosen for', () => {
  expect(alphas).toContain('| 0.00017, the default | 0.094 % | 226 | 58 | 9 |');
});
