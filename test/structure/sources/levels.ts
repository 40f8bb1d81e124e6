import { expect, test } from '@jest/globals';
import { readSources } from '../source.ts';

/** Maximum depth of imports. A higher number would make files of the stages harder to read. */
const mostLevels = 22;

const importsOf = new Map(
  readSources().map(({ path, imports }) => [
    path,
    imports.flatMap((one) => (one.kind === 'static' && one.path !== undefined ? [one.path] : [])),
  ]),
);

test('no source imports itself through others', () => {
  expect(cyclesIn([...importsOf.keys()])).toEqual([]);
});

test(`the stages have ${mostLevels} levels of files`, () => {
  const levels = new Map<string, number>();
  const levelOf = (path: string): number => {
    const below = (importsOf.get(path) ?? []).filter((one) => one.startsWith('src/stages/'));
    const level =
      levels.get(path) ?? 1 + Math.max(0, ...below.map((imported) => levelOf(imported)));
    levels.set(path, level);
    return level;
  };
  const inside = [...importsOf.keys()].filter((path) => path.startsWith('src/stages/'));
  expect(Math.max(...inside.map(levelOf))).toBe(mostLevels);
});

/**
 * Returns the files of import cycles: the rest after repeated removal of files without imports in
 * the rest.
 */
function cyclesIn(paths: readonly string[]): readonly string[] {
  let left = new Set(paths);
  for (;;) {
    const next = new Set(
      [...left].filter((path) => importsOf.get(path)?.some((one) => left.has(one)) === true),
    );
    if (next.size === left.size) return [...left];
    left = next;
  }
}
