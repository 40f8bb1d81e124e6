import { describe, expect, test } from '@jest/globals';
import { parseSync } from '@swc/core';
import { read } from '../structure/tree.ts';
import { mutants } from './mutants.ts';

test('there are at least 500, each with a name of its own', () => {
  const names = new Set(mutants.map(({ id }) => id));
  expect(names.size).toBe(mutants.length);
  expect(names.size).toBeGreaterThanOrEqual(500);
});

test.each([
  ['src/stages/record/', 30],
  ['src/adapters/gitlab/', 65],
  ['src/adapters/github/', 25],
  ['src/adapters/aws/', 50],
  ['src/adapters/terraform/', 30],
  ['src/operator/', 30],
  ['src/adapters/transport/', 16],
  ['src/config/', 9],
  ['src/adapters/command/', 2],
])('the adapters and the state are covered as well: %s at least %d', (folder, least) => {
  const there = mutants.filter(({ file }) => file.startsWith(folder));
  expect(there.length).toBeGreaterThanOrEqual(least);
});

test('the list of the tests that notice a mutant names existing mutants only', () => {
  const ids = mutants.map(({ id }) => id);
  const learned = JSON.parse(read('test/mutants/noticed-by.json')) as Record<string, unknown>;
  expect(Object.keys(learned).filter((id) => !ids.includes(id))).toEqual([]);
});

/** `npm run mutants` plays these first, in a runner of its own that has no mocks of modules. */
test.each(mutants.flatMap(({ id, tests = [] }) => tests.map((path) => [id, path] as const)))(
  '%s: its test is there: %s',
  (_, path) => {
    expect(read(path)).not.toMatch(/^import \{.*\bjest\b.*\} from '@jest\/globals'/m);
  },
);

/** Whether they are noticed is tried by `npm run mutants`. */
describe('every mutant fits the sources as they are', () => {
  test.each(mutants)('$id', ({ file, find, replace }) => {
    const parts = read(file).split(find);
    expect(parts).toHaveLength(2);
    expect(replace).not.toBe(find);
    parseSync(parts.join(replace), { syntax: 'typescript', target: 'es2022' });
  });
});
