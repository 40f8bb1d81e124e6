import { basename } from 'node:path';
import { expect, test } from '@jest/globals';
import { readSources } from '../source.ts';
import { read } from '../tree.ts';

const paths = readSources()
  .map(({ path }) => path)
  .filter((path) => path.startsWith('src/'));

/** The names that stand in more than one place, each with its places. */
function repeated(places: readonly (readonly [name: string, path: string])[]): string[] {
  const found = new Map<string, Set<string>>();
  for (const [name, path] of places) found.set(name, (found.get(name) ?? new Set()).add(path));
  return [...found]
    .filter(([, where]) => where.size > 1)
    .map(([name, where]) => `${name}: ${[...where].join(', ')}`);
}

test('the base name of a file is unique in src/', () => {
  expect(repeated(paths.map((path) => [basename(path), path]))).toEqual([]);
  expect(paths.length).toBeGreaterThan(500);
});

const exported = /^export (?:async )?(?:function\*?|const|class|interface|type) (\w+)/gm;

// Overloads of one function are in one file.
test('an exported name is unique in src/', () => {
  const names = paths.flatMap((path) =>
    [...read(path).matchAll(exported)].map(([, name = '']) => [name, path] as const),
  );
  expect(repeated(names)).toEqual([]);
  expect(names.length).toBeGreaterThan(1500);
});

/** Pronouns, prepositions, adverbs, and participles that their ending does not show. */
const refused = new Set(
  `all any both each every its my one other our own their these this those what which who whose
  about after at before beside by for from in into of on out outside over to until up with without
  again anew away back how long not once soon still then together too when where why
  asked begun built given gone held kept known left lost made meant said seen shut taken told`.split(
    /\s+/,
  ),
);
/** Nouns of the domain that end as a participle does. */
const nouns = ['finding', 'onboarding', 'recording', 'routing'];

test('the name of a file in src/ begins with no pronoun, preposition, adverb or participle', () => {
  const clauses = paths.filter((path) => {
    const [first = ''] = basename(path, '.ts').split('-');
    return refused.has(first) || (/(?:ing|ed)$/.test(first) && !nouns.includes(first));
  });
  expect(clauses).toEqual([]);
});
