import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import {
  expectedOf,
  expectedReports,
  judgeReports,
  suiteTimes,
} from '../../scripts/tally-reports.js';
import { root } from '../support/program.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tally-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const expected = { unit: { passed: 2, suites: () => true } };
const suites = ['test/a.test.ts', 'test/b.test.ts'];
const good = {
  success: true,
  wasInterrupted: false,
  numPassedTests: 3,
  numFailedTests: 0,
  numRuntimeErrorTestSuites: 0,
  numPendingTests: 0,
  numTodoTests: 0,
  testResults: suites.map((name) => ({
    name: join(root, name),
    assertionResults: [] as unknown[],
  })),
};

function checkReport(report: unknown, environment: Record<string, string> = {}) {
  const text = typeof report === 'string' ? report : JSON.stringify(report);
  writeFileSync(join(folder, 'unit.json'), text);
  return judgeReports({ folder, environment, expected, suites });
}

/** Returns a report of two passed tests and these skipped ones. */
function skipping(...names: string[]) {
  const assertionResults = names.map((fullName) => ({ fullName, status: 'pending' }));
  const [first, ...others] = good.testResults;
  return {
    ...good,
    numPendingTests: names.length,
    testResults: [{ ...first, assertionResults }, ...others],
  };
}

test('the tally adds up the tests that ran', () => {
  expect(checkReport(good)).toEqual({ problems: [], flaky: [], passed: 3, failed: 0, skipped: 0 });
});

test('the tally lists suites with their minutes, the longest first', () => {
  const [a, b] = good.testResults;
  const began = Date.parse('2026-11-02T08:00:00.000Z');
  checkReport({
    ...good,
    testResults: [
      { ...a, startTime: began, endTime: began + 30_000 },
      { ...b, startTime: began, endTime: began + 90_000 },
    ],
  });
  expect(suiteTimes(folder)).toEqual([
    { file: 'test/b.test.ts', minutes: 1.5 },
    { file: 'test/a.test.ts', minutes: 0.5 },
  ]);
});

test('the tally counts each failure once, even of a suite that could not be loaded', () => {
  const report = { ...good, success: false, numFailedTests: 2, numRuntimeErrorTestSuites: 1 };
  expect(checkReport(report)).toEqual({
    problems: [],
    flaky: [],
    passed: 3,
    failed: 3,
    skipped: 0,
  });
});

describe('a failed report', () => {
  test.each<[string, unknown, string[]]>([
    ['an empty report', {}, ['unit: its report is none']],
    ['null', 'null', ['unit: its report is none']],
    ['a truncated report', '{"success":true', ['unit: its report is none']],
    ['a run that was interrupted', { ...good, wasInterrupted: true }, ['unit: it was interrupted']],
    [
      'a run that reports only its failure',
      { ...good, success: false },
      ['unit: it failed without a message'],
    ],
    ['a run without a test', { ...good, numPassedTests: 0 }, ['unit: 0 passed, of 2 at least']],
    [
      'a suite that did not run',
      { ...good, testResults: good.testResults.slice(1) },
      ['unit: test/a.test.ts did not run'],
    ],
    [
      'a skipped test without a reason',
      skipping('drains a shard'),
      ['unit: skipped without a reason: drains a shard'],
    ],
    [
      'skipped tests without names',
      { ...good, numPendingTests: 900 },
      ['unit: 900 skipped without a reason'],
    ],
  ])('includes %s', (_, report, problems) => {
    const { failed, ...found } = checkReport(report);
    expect([found.problems, failed]).toEqual([problems, problems.length]);
  });

  test('includes an empty folder, and a missing one', () => {
    for (const where of [folder, join(folder, 'nowhere')])
      expect(judgeReports({ folder: where, environment: {}, expected, suites })).toEqual({
        problems: ['unit: there is no report of it'],
        flaky: [],
        passed: 0,
        failed: 1,
        skipped: 0,
      });
  });

  test('includes a part that failed without a report', () => {
    writeFileSync(join(folder, 'check.failed'), '');
    expect(checkReport(good)).toMatchObject({ problems: ['check: it failed'], failed: 1 });
  });
});

describe('a suite that is skipped because a program is missing', () => {
  const name = 'Terraform for real (not found: terraform) plans';

  test('counts as skipped, with its name, if the program is not installed', () => {
    expect(checkReport(skipping(name))).toEqual({
      problems: [],
      flaky: [],
      passed: 3,
      failed: 0,
      skipped: 1,
    });
  });

  test('counts as failed if REQUIRED_TOOLS contains the program', () => {
    expect(checkReport(skipping(name), { REQUIRED_TOOLS: 'terraform moto_server' })).toMatchObject({
      problems: [`unit: skipped, although terraform is here: ${name}`],
      failed: 1,
    });
  });
});

test.each([
  [['unit'], ['unit-alone', 'unit']],
  [['simulate'], ['simulate-orders', 'simulate-fleets', 'simulate-checked', 'simulate-machines']],
  [['e2e'], ['e2e']],
])('the parts %j have the expected reports', (parts, reports) => {
  expect(Object.keys(expectedOf(parts))).toEqual(reports);
});

test('every report that .ci/run requests is expected', () => {
  const text = readFileSync(join(root, '.ci/run'), 'utf8');
  const requested = [...text.matchAll(/REPORT=([\w-]+|simulate-\$layer) part/g)].map(
    ([, one]) => one,
  );
  const layers = /for layer in ([\w -]+);/.exec(text)?.[1]?.split(' ') ?? [];
  const named = requested.flatMap((one) =>
    one === 'simulate-$layer' ? layers.map((layer) => `simulate-${layer}`) : [one ?? ''],
  );
  // The second run writes a report only after a failure.
  const always = named.filter((one) => one !== 'e2e-again');
  expect(Object.keys(expectedReports).sort()).toEqual([...always, 'unit-alone'].sort());
});

test('the CI files require the programs that they install', () => {
  for (const file of [
    '.gitlab-ci.yml',
    '.github/workflows/ci.yml',
    '.github/workflows/release.yml',
  ])
    expect(readFileSync(join(root, file), 'utf8')).toContain(
      'REQUIRED_TOOLS: terraform moto_server',
    );
});
