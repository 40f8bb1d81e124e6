import { describe, expect, test } from '@jest/globals';
import { parseSync } from '@swc/core';
import { read } from '../structure/tree.ts';
import { mutants } from './mutants.ts';

test('there are at least 60, each with a name of its own', () => {
  const names = new Set(mutants.map(({ id }) => id));
  expect(names.size).toBe(mutants.length);
  expect(names.size).toBeGreaterThanOrEqual(60);
});

/** Whether they are noticed is tried by `npm run mutants`. */
describe('every mutant fits the sources as they are', () => {
  test.each(mutants)('$id', ({ file, find, replace }) => {
    const parts = read(file).split(find);
    expect(parts).toHaveLength(2);
    expect(replace).not.toBe(find);
    parseSync(parts.join(replace), { syntax: 'typescript', target: 'es2022' });
  });
});
