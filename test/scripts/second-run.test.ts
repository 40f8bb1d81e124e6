import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { judgeReports } from '../../scripts/tally-reports.js';
import { root } from '../support/program.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'second-run-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const counts = {
  success: true,
  wasInterrupted: false,
  numFailedTests: 0,
  numRuntimeErrorTestSuites: 0,
  numPendingTests: 0,
  numTodoTests: 0,
};

describe('a second run of failed e2e suites', () => {
  const names = ['a', 'b', 'c'].map((one) => `test/${one}.test.ts`);
  const suiteOf = (name: string, status: string) => ({
    name: join(root, name),
    status,
    assertionResults: [{ fullName: `${name} works`, status }],
  });
  const reportOf = (status: string, of: readonly string[]) => ({
    ...counts,
    success: status === 'passed',
    numPassedTests: status === 'passed' ? of.length : 0,
    numFailedTests: status === 'passed' ? 0 : of.length,
    testResults: of.map((name) => suiteOf(name, status)),
  });
  const checkTwice = (failed: readonly string[], again: unknown) => {
    const first = reportOf('failed', failed);
    const { testResults: passed } = reportOf('passed', ['test/d.test.ts']);
    const report = { ...first, numPassedTests: 1, testResults: [...first.testResults, ...passed] };
    writeFileSync(join(folder, 'e2e.json'), JSON.stringify(report));
    const text = typeof again === 'string' ? again : JSON.stringify(again);
    writeFileSync(join(folder, 'e2e-again.json'), text);
    return judgeReports({ folder, environment: {}, expected: { e2e: { passed: 1 } } });
  };

  test('counts in place of the first one, and names two flaky suites', () => {
    expect(checkTwice(names.slice(0, 2), reportOf('passed', names.slice(0, 2)))).toEqual({
      problems: [],
      flaky: ['test/a.test.ts', 'test/b.test.ts'],
      passed: 3,
      failed: 0,
      skipped: 0,
    });
  });

  test('fails if more than two suites are flaky', () => {
    expect(checkTwice(names, reportOf('passed', names))).toEqual({
      problems: ['3 suites are flaky, at most 2 may be'],
      flaky: names,
      passed: 4,
      failed: 1,
      skipped: 0,
    });
  });

  test('counts a suite that fails twice as a failure', () => {
    expect(checkTwice(names.slice(0, 1), reportOf('failed', names.slice(0, 1)))).toMatchObject({
      flaky: [],
      passed: 1,
      failed: 1,
    });
  });

  test.each<[string, unknown, string]>([
    ['is cut', '{"success":true', 'e2e-again: its report is none'],
    [
      'was interrupted',
      { ...reportOf('passed', names.slice(0, 1)), wasInterrupted: true },
      'e2e-again: it was interrupted',
    ],
  ])('counts as a failure beside the first ones if it %s', (_, again, problem) => {
    expect(checkTwice(names.slice(0, 1), again)).toMatchObject({
      problems: [problem],
      flaky: [],
      passed: 1,
      failed: 2,
    });
  });
});

test('prints the flaky suites on the line before the last one', () => {
  const suiteOf = (status: string) => ({
    name: join(root, 'test/a.test.ts'),
    status,
    assertionResults: [{ fullName: 'a works', status }],
  });
  const first = { ...counts, success: false, numPassedTests: 60, numFailedTests: 1 };
  const write = (name: string, report: unknown) =>
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(report));
  write('e2e', { ...first, testResults: [suiteOf('failed')] });
  write('e2e-again', { ...counts, numPassedTests: 1, testResults: [suiteOf('passed')] });
  const { stdout } = spawnSync(process.execPath, ['scripts/tally.js', folder, 'simulate'], {
    cwd: root,
    encoding: 'utf8',
  });
  expect(stdout.trimEnd().split('\n').slice(-2)).toEqual([
    '1 flaky (failed, then passed alone): test/a.test.ts',
    '1 passed, 4 failed, 0 skipped',
  ]);
});
