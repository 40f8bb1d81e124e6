import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import MachinePauses, {
  fileVariable,
  overlaps,
  replaced,
  runThroughPauses,
} from '../../scripts/jest/machine-pauses.js';

let folder: string;
let report: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pauses-'));
  report = join(folder, 'unit.json');
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const suite = (name: string, ...statuses: string[]) => ({
  name,
  status: statuses.includes('failed') ? 'failed' : 'passed',
  assertionResults: statuses.map((status) => ({ status, fullName: `${name} ${status}` })),
});
const reportOf = (...testResults: ReturnType<typeof suite>[]) => ({
  testResults,
  wasInterrupted: false,
  success: false,
  numPassedTests: 0,
  numFailedTests: 0,
});

/** jest as it would end: each run leaves a report and says what failed while the machine stood still. */
function played(...runs: { code: number; failed?: string[]; report: object }[]) {
  const calls: (readonly string[])[] = [];
  const told: string[] = [];
  const exit = runThroughPauses({
    args: ['test/a'],
    report,
    tell: (line) => told.push(line),
    run: (args, file) => {
      calls.push(args);
      const one = runs[calls.length - 1];
      writeFileSync(file ?? '', JSON.stringify(one?.report));
      const pauses = [{ from: 1000, to: 6500 }];
      writeFileSync(
        process.env[fileVariable] ?? '',
        JSON.stringify({ pauses, failed: one?.failed ?? [] }),
      );
      return one?.code ?? 1;
    },
  });
  return { exit, calls, told, report: JSON.parse(readFileSync(report, 'utf8')) };
}

test('what failed while the machine stood still is played once more, and the second result counts', () => {
  const { exit, calls, told, report } = played(
    {
      code: 1,
      failed: ['/x/b.test.ts'],
      report: reportOf(suite('/x/a.test.ts', 'passed'), suite('/x/b.test.ts', 'failed', 'passed')),
    },
    { code: 0, report: reportOf(suite('/x/b.test.ts', 'passed', 'passed')) },
  );
  expect(exit).toBe(0);
  expect(calls).toEqual([['test/a'], ['--runTestsByPath', '/x/b.test.ts']]);
  expect(told[0]).toContain('5.5 s');
  expect(report).toMatchObject({ success: true, numPassedTests: 3, numFailedTests: 0 });
});

test('what fails again has failed', () => {
  const failing = reportOf(suite('/x/b.test.ts', 'failed'));
  const { exit, report } = played(
    { code: 1, failed: ['/x/b.test.ts'], report: failing },
    { code: 1, report: failing },
  );
  expect(exit).toBe(1);
  expect(report).toMatchObject({ success: false, numFailedTests: 1 });
});

test('what fails for any other reason is not played again', () => {
  const { exit, calls } = played({ code: 1, report: reportOf(suite('/x/b.test.ts', 'failed')) });
  expect([exit, calls.length]).toEqual([1, 1]);
});

test.each([
  [0, 0],
  [1, 1],
])('where no report is wanted, %s others that failed make the exit code %s', (others, exit) => {
  let runs = 0;
  const run = (_: readonly string[], file: string | undefined) => {
    expect(file).toBeUndefined();
    runs += 1;
    const found = { pauses: [{ from: 0, to: 4000 }], failed: ['/x/b.test.ts'], others };
    if (runs === 1) writeFileSync(process.env[fileVariable] ?? '', JSON.stringify(found));
    return runs === 1 ? 1 : 0;
  };
  expect(runThroughPauses({ args: [], report: undefined, tell: () => {}, run })).toBe(exit);
  expect(runs).toBe(2);
});

test('a failure beside the one that is played again stays', () => {
  const { exit } = played(
    {
      code: 1,
      failed: ['/x/b.test.ts'],
      report: reportOf(suite('/x/a.test.ts', 'failed'), suite('/x/b.test.ts', 'failed')),
    },
    { code: 0, report: reportOf(suite('/x/b.test.ts', 'passed')) },
  );
  expect(exit).toBe(1);
});

test('a suite that could not begin, and a report that is none, are failures', () => {
  const unbegun = { ...suite('/x/b.test.ts'), status: 'failed' };
  expect(replaced(reportOf(unbegun), reportOf(unbegun))).toMatchObject({
    success: false,
    numRuntimeErrorTestSuites: 1,
  });
  expect(replaced(reportOf(unbegun), undefined)).toBeUndefined();
});

test('only what ran during a pause is touched by it', () => {
  const pauses = [{ from: 10_000, to: 14_000 }];
  expect(overlaps({ from: 0, to: 10_001 }, pauses)).toBe(true);
  expect(overlaps({ from: 13_000, to: 20_000 }, pauses)).toBe(true);
  expect(overlaps({ from: 14_000, to: 20_000 }, pauses)).toBe(false);
});

test('what failed during a pause is told apart from what failed otherwise', async () => {
  const file = join(folder, 'found.json');
  const usual = process.env[fileVariable];
  process.env[fileVariable] = file;
  const reporter = new MachinePauses();
  const failed = (path: string, start: number, end: number) =>
    reporter.onTestResult(undefined, {
      testFilePath: path,
      numFailingTests: 1,
      perfStats: { start, end },
    } as never);
  failed('/x/a.test.ts', 0, 500);
  failed('/x/b.test.ts', 900, 5000);
  // The thread tells of it only when the machine goes on.
  reporter.pauses.push({ from: 1000, to: 5000 });
  reporter.onRunComplete();
  if (usual === undefined) delete process.env[fileVariable];
  else process.env[fileVariable] = usual;
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
    failed: ['/x/b.test.ts'],
    others: 1,
  });
});

test('a thread that does nothing else sees that the machine stood still, by late timers', async () => {
  const reporter = new MachinePauses(0);
  while (reporter.pauses.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  expect(reporter.pauses[0]?.to).toBeGreaterThanOrEqual(reporter.pauses[0]?.from ?? 0);
  reporter.onRunComplete();
});
