import { expect, test } from '@jest/globals';
import { suitesToRunAgain, withSecondRun } from '../../scripts/jest/failed-again.js';

const suite = (name: string, ...statuses: string[]) => ({
  name,
  status: statuses.includes('failed') ? 'failed' : 'passed',
  assertionResults: statuses.map((status) => ({ status, fullName: `${name} ${status}` })),
});
const reportOf = (...testResults: ReturnType<typeof suite>[]) => ({
  testResults,
  wasInterrupted: false,
});
const unloaded = { name: '/x/a.test.ts', status: 'failed', assertionResults: [] };

test('each failed suite runs again, even one that could not be loaded', () => {
  const report = reportOf(
    suite('/x/c.test.ts', 'failed'),
    unloaded,
    suite('/x/b.test.ts', 'passed'),
  );
  expect(suitesToRunAgain(report)).toEqual({
    again: ['/x/c.test.ts', '/x/a.test.ts'],
    tooMany: 0,
  });
});

test.each([
  ['missing', undefined],
  ['cut', {}],
  ['interrupted', { ...reportOf(suite('/x/a.test.ts', 'failed')), wasInterrupted: true }],
])('a suite of a report that is %s does not run again', (_, report) => {
  expect(suitesToRunAgain(report)).toEqual({ again: [], tooMany: 0 });
});

test('no suite runs again if more than six failed', () => {
  const failed = Array.from({ length: 7 }, (_, n) => suite(`/x/${n}.test.ts`, 'failed'));
  expect(suitesToRunAgain(reportOf(...failed))).toEqual({ again: [], tooMany: 7 });
  expect(suitesToRunAgain(reportOf(...failed.slice(1))).again).toHaveLength(6);
});

test('a suite that passes the second time is flaky, and its second result counts', () => {
  const first = reportOf(
    suite('/x/a.test.ts', 'passed', 'failed'),
    suite('/x/b.test.ts', 'passed'),
  );
  const { report, flaky } = withSecondRun(
    first,
    reportOf(suite('/x/a.test.ts', 'passed', 'passed')),
  );
  expect(flaky).toEqual(['/x/a.test.ts']);
  expect(report).toMatchObject({ success: true, numPassedTests: 3, numFailedTests: 0 });
});

test('a suite that fails twice has failed', () => {
  const first = reportOf(suite('/x/a.test.ts', 'failed', 'failed'));
  const { report, flaky } = withSecondRun(
    first,
    reportOf(suite('/x/a.test.ts', 'passed', 'failed')),
  );
  expect(flaky).toEqual([]);
  expect(report).toMatchObject({ success: false, numPassedTests: 1, numFailedTests: 1 });
});

test('a suite that could not be loaded twice has failed', () => {
  expect(withSecondRun(reportOf(unloaded), reportOf(unloaded))).toMatchObject({
    flaky: [],
    report: { success: false, numFailedTests: 0, numRuntimeErrorTestSuites: 1 },
  });
});

test('a suite that could not be loaded the first time is flaky if it passes the second time', () => {
  const second = reportOf(suite('/x/a.test.ts', 'passed'));
  expect(withSecondRun(reportOf(unloaded), second)).toMatchObject({
    flaky: ['/x/a.test.ts'],
    report: { success: true, numRuntimeErrorTestSuites: 0 },
  });
});

test.each<[string, ReturnType<typeof reportOf> | undefined]>([
  ['is missing', undefined],
  [
    'was interrupted',
    { ...reportOf(suite('/x/a.test.ts', 'passed', 'passed')), wasInterrupted: true },
  ],
  ['lacks the suite', reportOf(suite('/x/b.test.ts', 'passed', 'passed'))],
  ['ran fewer tests of it', reportOf(suite('/x/a.test.ts', 'passed'))],
  ['skipped one of its tests', reportOf(suite('/x/a.test.ts', 'passed', 'pending'))],
])('the first result counts if the second run %s', (_, second) => {
  const first = reportOf(suite('/x/a.test.ts', 'passed', 'failed'));
  expect(withSecondRun(first, second)).toEqual({ report: first, flaky: [] });
});

test('an interrupted first run stays interrupted', () => {
  const first = { ...reportOf(suite('/x/a.test.ts', 'failed')), wasInterrupted: true };
  const second = reportOf(suite('/x/a.test.ts', 'passed'));
  expect(withSecondRun(first, second)).toEqual({ report: first, flaky: [] });
});
