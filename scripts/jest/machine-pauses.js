import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

// A machine may stand still for seconds, and whatever listens on it with it; then "no answer within 5 s"
// is no fault of what was tested. A thread that does nothing else sees by how late its timers come how
// long the machine stood still; jest's own process may be busy itself, with a suite that it runs in band.

/** How late a timer has to come, in ms, to count as a pause. */
export const shortestMs = 3000;
const everyMs = 250;

/** Where the reporter leaves what scripts/jest.js reads after the run. */
export const fileVariable = 'FAILED_IN_PAUSES';

/** @typedef {{ from: number, to: number }} Span of ms since the epoch */

/** Of the thread: `node:worker_threads` hands it its settings. */
const watch = `
  const { parentPort, workerData: { everyMs, shortestMs } } = require('node:worker_threads');
  let expected = Date.now() + everyMs;
  setInterval(() => {
    const now = Date.now();
    if (now - expected >= shortestMs) parentPort.postMessage({ from: expected, to: now });
    expected = now + everyMs;
  }, everyMs);
`;

/** jest's reporter: which suites failed while the machine stood still. */
export default class MachinePauses {
  /** @param {unknown} [least] how late, in ms; jest hands its own settings */
  constructor(least) {
    const shortest = typeof least === 'number' ? least : shortestMs;
    /** @type {Span[]} */
    this.pauses = [];
    /** @type {(Span & { path: string })[]} */
    this.failures = [];
    this.watch = new Worker(watch, { eval: true, workerData: { everyMs, shortestMs: shortest } });
    this.watch.on('message', (/** @type {Span} */ pause) => this.pauses.push(pause));
    this.watch.unref();
  }

  /** @param {unknown} _ @param {import('@jest/reporters').TestResult} result */
  onTestResult(_, { testFilePath, numFailingTests, testExecError, perfStats }) {
    if (numFailingTests === 0 && !testExecError) return;
    this.failures.push({
      path: testFilePath,
      from: perfStats.start,
      to: perfStats.end || Date.now(),
    });
  }

  onRunComplete() {
    void this.watch.terminate();
    const file = process.env[fileVariable];
    const { pauses, failures } = this;
    const failed = failures.filter((ran) => overlaps(ran, pauses)).map(({ path }) => path);
    const others = failures.length - failed.length;
    if (file) writeFileSync(file, JSON.stringify({ pauses, failed, others }));
  }
}

/** @param {Span} ran @param {readonly Span[]} pauses */
export function overlaps(ran, pauses) {
  return pauses.some(({ from, to }) => from < ran.to && to > ran.from);
}

/**
 * Runs jest, and what has failed while the machine stood still once more; the second result counts.
 * @param {object} given
 * @param {(args: readonly string[], report: string | undefined) => number} given.run
 * @param {readonly string[]} given.args
 * @param {string | undefined} given.report where jest's JSON report is wanted
 * @param {(line: string) => void} given.tell
 * @returns {number} exit code
 */
export function runThroughPauses({ run, args, report, tell }) {
  const folder = mkdtempSync(join(tmpdir(), 'machine-pauses-'));
  try {
    process.env[fileVariable] = join(folder, 'found.json');
    const code = run(args, report);
    const { pauses = [], failed = [], others } = readJson(process.env[fileVariable]) ?? {};
    if (code === 0 || failed.length === 0) return code;
    const longest = Math.max(...pauses.map((/** @type {Span} */ { from, to }) => to - from));
    tell(
      `The machine stood still, for ${(longest / 1000).toFixed(1)} s at the longest. Once more:`,
    );
    for (const path of failed) tell(`  ${path}`);
    const again = report === undefined ? undefined : join(folder, 'again.json');
    const codeAgain = run(['--runTestsByPath', ...failed], again);
    if (report === undefined || again === undefined) return others === 0 ? codeAgain : code;
    const merged = replaced(readJson(report), readJson(again));
    if (merged === undefined) return code;
    writeFileSync(report, JSON.stringify(merged));
    return merged.success ? 0 : 1;
  } finally {
    delete process.env[fileVariable];
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * The first report with the suites of the second in place of its own.
 * @param {any} first @param {any} second @returns {any} undefined where one of them is no report
 */
export function replaced(first, second) {
  if (!Array.isArray(first?.testResults) || !Array.isArray(second?.testResults)) return undefined;
  const again = new Map(second.testResults.map((/** @type {any} */ suite) => [suite.name, suite]));
  const testResults = first.testResults.map(
    (/** @type {any} */ suite) => again.get(suite.name) ?? suite,
  );
  const tests = testResults.flatMap((/** @type {any} */ suite) => suite.assertionResults);
  const count = (/** @type {string[]} */ ...of) =>
    tests.filter((/** @type {any} */ { status }) => of.includes(status)).length;
  const broken = testResults.filter(
    (/** @type {any} */ { status, assertionResults }) =>
      status === 'failed' &&
      !assertionResults.some((/** @type {any} */ one) => one.status === 'failed'),
  ).length;
  const failedTests = count('failed');
  return {
    ...first,
    testResults,
    numPassedTests: count('passed'),
    numFailedTests: failedTests,
    numPendingTests: count('pending', 'skipped', 'disabled'),
    numTodoTests: count('todo'),
    numRuntimeErrorTestSuites: broken,
    success:
      failedTests === 0 &&
      broken === 0 &&
      first.wasInterrupted !== true &&
      second.wasInterrupted !== true,
  };
}

/** @param {string} path @returns {any} */
function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}
