import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { judgeReports } from '../../scripts/tally-reports.js';
import { root } from '../support/program.ts';

/** Stand-in for jest, which records its arguments and writes the next report of `reports.json`. */
const jest = `
const { appendFileSync, existsSync, readFileSync, writeFileSync } = require('node:fs');
const calls = existsSync('calls') ? readFileSync('calls', 'utf8').split('\\n').length - 1 : 0;
appendFileSync('calls', JSON.stringify(process.argv.slice(2)) + '\\n');
const report = JSON.parse(readFileSync('reports.json', 'utf8'))[calls];
const name = process.argv.find((one) => one.startsWith('--outputFile='));
writeFileSync(name.slice('--outputFile='.length), JSON.stringify(report));
process.exitCode = report.success ? 0 : 1;
`;
const suite = 'test/e2e/a.test.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'jest-runs-'));
  cpSync(join(root, 'scripts'), join(folder, 'scripts'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  const place = join(folder, 'node_modules', 'jest');
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, 'package.json'), '{"name":"jest","bin":"jest.cjs"}');
  writeFileSync(join(place, 'jest.cjs'), jest);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function reportOf(status: 'passed' | 'failed') {
  const failed = status === 'failed' ? 1 : 0;
  return {
    success: failed === 0,
    wasInterrupted: false,
    numPassedTests: 1 - failed,
    numFailedTests: failed,
    numRuntimeErrorTestSuites: 0,
    numPendingTests: 0,
    numTodoTests: 0,
    testResults: [
      { name: join(root, suite), status, assertionResults: [{ fullName: 'it works', status }] },
    ],
  };
}

/** Runs twice like `.ci/run` with the e2e suites. */
function runTwice(...results: ('passed' | 'failed')[]) {
  writeFileSync(join(folder, 'reports.json'), JSON.stringify(results.map(reportOf)));
  for (const how of [[], ['--again']])
    spawnSync(process.execPath, ['scripts/jest.js', 'e2e', ...how], {
      cwd: folder,
      env: { PATH: process.env['PATH'], TEST_REPORTS: 'reports' },
    });
  const calls = readFileSync(join(folder, 'calls'), 'utf8').trimEnd().split('\n').length;
  const verdict = judgeReports({
    folder: join(folder, 'reports'),
    environment: {},
    expected: { e2e: { passed: 0 } },
  });
  return { calls, ...verdict };
}

test('an e2e suite that passes its second run is counted and named flaky', () => {
  expect(runTwice('failed', 'passed')).toEqual({
    calls: 2,
    problems: [],
    flaky: [suite],
    passed: 1,
    failed: 0,
    skipped: 0,
  });
});

test('an e2e suite that fails twice has failed, and runs no third time', () => {
  expect(runTwice('failed', 'failed', 'passed')).toEqual({
    calls: 2,
    problems: [],
    flaky: [],
    passed: 0,
    failed: 1,
    skipped: 0,
  });
});
