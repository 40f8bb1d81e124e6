import { expect, test } from '@jest/globals';
import { readSources, type Source } from '../source.ts';
import { filesBelow, read } from '../tree.ts';

/** Number of files that contain each word, in an import, a text or a comment. */
const files = new Map<string, number>();
for (const path of ['src', 'sandbox', 'generate', 'model', 'scripts', 'test'].flatMap(filesBelow))
  if (/\.(?:ts|js)$/.test(path))
    for (const word of new Set(read(path).match(/[\w$]+/g)))
      files.set(word, (files.get(word) ?? 0) + 1);

/**
 * Lists exported functions, classes and constants. Types are excluded, because they belong to a
 * function's signature.
 */
function valuesOf({ module }: Source): string[] {
  return module.body.flatMap((item) => {
    if (item.type !== 'ExportDeclaration') return [];
    const { declaration } = item;
    if (declaration.type === 'VariableDeclaration')
      return declaration.declarations.flatMap(({ id }) =>
        id.type === 'Identifier' ? [id.value] : [],
      );
    const isValue =
      declaration.type === 'FunctionDeclaration' || declaration.type === 'ClassDeclaration';
    return isValue ? [declaration.identifier.value] : [];
  });
}

// A change of an export requires a search for all its users.
test('an export is used by another file', () => {
  const exported = readSources().flatMap((source) =>
    valuesOf(source).map((name) => ({ path: source.path, name })),
  );
  const alone = exported.filter(({ name }) => files.get(name) === 1);
  expect(alone.map(({ path, name }) => `${path}: ${name}`)).toEqual([]);
  expect(exported.length).toBeGreaterThan(1000);
});
