import { expect, test } from '@jest/globals';
import { parseSync } from '@swc/core';
import { nodesOf, readSources, type SyntaxNode } from '../source.ts';

/** The compiler cannot check such a type, so a change of the value behind it goes unnoticed. */
test('no cast goes through unknown', () => {
  const found = readSources()
    .filter(({ module }) => castsThroughUnknown(module) > 0)
    .map(({ path }) => path);
  expect(found).toEqual([]);
});

test.each([
  ['own.stdout as unknown as TerminalStream', 1],
  ['(own.stdout as unknown) as TerminalStream', 1],
  ['own.stdout as never as TerminalStream', 1],
  ['answer as unknown', 0],
  ['Object.fromEntries(wrapped) as Set', 0],
])('%s contains %i casts through unknown', (text, times) => {
  expect(castsThroughUnknown(parseSync(text, { syntax: 'typescript' }))).toBe(times);
});

function castsThroughUnknown(module: unknown): number {
  return nodesOf(module).filter(
    (node) => node.type === 'TsAsExpression' && isCastAway(node['expression']),
  ).length;
}

function isCastAway(value: unknown): boolean {
  const node = value as SyntaxNode;
  if (node.type === 'ParenthesisExpression') return isCastAway(node['expression']);
  if (node.type !== 'TsAsExpression') return false;
  const { kind } = node['typeAnnotation'] as { readonly kind?: string };
  return kind === 'unknown' || kind === 'never';
}
