import { expect, test } from '@jest/globals';
import { readSources } from '../source.ts';

/** A lower number is welcome; a higher one makes each file of the stages harder to read from below. */
const mostLevels = 22;

const importsOf = new Map(
  readSources().map(({ path, imports }) => [
    path,
    imports.flatMap((one) => (one.kind === 'static' && one.path !== undefined ? [one.path] : [])),
  ]),
);

test('no source imports itself by way of others', () => {
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

/** What is left when files without imports among the rest are taken away, again and again. */
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
