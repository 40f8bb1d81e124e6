import { expect, test } from '@jest/globals';
import { readSources, type Source } from '../source.ts';
import { filesBelow, read } from '../tree.ts';

/** In how many files each word stands, be it of an import, of a text that is evaluated, or of a comment. */
const files = new Map<string, number>();
for (const path of ['src', 'sandbox', 'generate', 'model', 'scripts', 'test'].flatMap(filesBelow))
  if (/\.(?:ts|js)$/.test(path))
    for (const word of new Set(read(path).match(/[\w$]+/g)))
      files.set(word, (files.get(word) ?? 0) + 1);

/** Functions, classes and constants. A type is exported with the function whose shape it tells. */
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

// Whoever changes what is exported has to look for who else reads it.
test('what one file alone uses is not exported', () => {
  const exported = readSources().flatMap((source) =>
    valuesOf(source).map((name) => ({ path: source.path, name })),
  );
  const alone = exported.filter(({ name }) => files.get(name) === 1);
  expect(alone.map(({ path, name }) => `${path}: ${name}`)).toEqual([]);
  expect(exported.length).toBeGreaterThan(1000);
});
