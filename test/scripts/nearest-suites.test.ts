import { expect, test } from '@jest/globals';
import { isE2e } from '../../scripts/jest/process-suites.js';
import { nearestSuites } from '../../scripts/mutants/nearest-suites.js';

const folders = ['src', 'sandbox', 'test'];
const isSuite = (file: string) => file.endsWith('.test.ts') && !isE2e(file);

test('the mutants of a source are played by its own suite first', () => {
  const sources = ['src/domain/drain/job-words.ts'];
  expect(nearestSuites({ sources, count: 3, isSuite, folders })[0]).toBe(
    'test/domain/drain/job-words.test.ts',
  );
});

test('where a source has no suite of its own, the suites of its subject that reach it come first', () => {
  const sources = ['src/stages/steps/drain/drain-watch.ts'];
  const suites = nearestSuites({ sources, count: 5, isSuite, folders });
  expect(suites).toHaveLength(5);
  expect(suites.filter((one) => one.includes('drain')).length).toBeGreaterThan(2);
});

test('a suite that does not reach the source is not chosen', () => {
  const sources = ['src/domain/drain/job-words.ts'];
  const suites = nearestSuites({ sources, count: 10_000, isSuite, folders });
  expect(suites).not.toContain('test/docs/permissions.test.ts');
  expect(suites.length).toBeGreaterThan(20);
});
