import { expect, test } from '@jest/globals';
import { type Block, keepShare, type Test } from '../../scripts/jest/sampled-environment.js';
import { oneIn } from '../../scripts/jest/share.js';

function block(name: string, children: string[], parent?: Block): Block {
  const own: Block = { type: 'describeBlock', name, children: [], ...(parent ? { parent } : {}) };
  own.children = children.map((each): Test => ({ type: 'test', name: each, parent: own }));
  parent?.children.push(own);
  return own;
}

function namesOf({ children }: Block): string[] {
  return children.flatMap((child) => (child.type === 'test' ? [child.name] : namesOf(child)));
}

test('a share of the tests of all blocks remains, in their order, the same each time', () => {
  const names = Array.from({ length: 30 }, (_, at) => `test ${at}`);
  const build = () => {
    const all = block('', names.slice(0, 10));
    block('inner', names.slice(10), all);
    return all;
  };
  const [one, other] = [build(), build()];
  keepShare(one, 'a.test.ts');
  keepShare(other, 'a.test.ts');
  const kept = namesOf(one);
  expect(kept).toHaveLength(Math.ceil(30 / oneIn()));
  expect(kept).toEqual(names.filter((name) => kept.includes(name)));
  expect(namesOf(other)).toEqual(kept);
});

test('the only test of a suite remains', () => {
  const all = block('', []);
  block('inner', ['test'], all);
  keepShare(all, 'a.test.ts');
  expect(namesOf(all)).toEqual(['test']);
});
