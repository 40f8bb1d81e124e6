import { expect, test } from '@jest/globals';
import { nodesOf, readSources, type SyntaxNode } from '../source.ts';

/** A context without an optional member would be built without an error. */
test('a stage context has no optional member', () => {
  const members = readSources()
    .flatMap(({ module }) => nodesOf(module))
    .filter(({ type, id }) => type === 'TsInterfaceDeclaration' && nameOf(id) === 'StageContext')
    .flatMap(({ body }) => (body as { body: readonly SyntaxNode[] }).body);
  expect(members.filter(({ optional }) => optional).map(({ key }) => nameOf(key))).toEqual([]);
  expect(members.length).toBeGreaterThan(9);
});

function nameOf(identifier: unknown): string {
  return (identifier as { readonly value: string }).value;
}
