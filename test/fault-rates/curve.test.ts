import { expect, test } from '@jest/globals';
import { read } from '../structure/tree.ts';
import { renderAlphas, renderCurve } from './curve.ts';

test.each([
  ['how soon a shard is taken back', renderCurve],
  ['what another alpha buys', renderAlphas],
])('docs/use/bake.md says %s, as it is computed', (_, render) => {
  expect(read('docs/use/bake.md')).toContain(render());
});
