import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { againReport, firstReport, mostFlaky, withSecondRun } from './jest/failed-again.js';
import { isE2e, leftOutOfSample } from './jest/process-suites.js';

// Only Node: this still works if no package could be installed.

/**
 * @typedef {object} Expected a report, and the minimum that a real run reports.
 * @property {number} passed
 * @property {(file: string) => boolean} [suites] required files with tests.
 */

const project = resolve(dirname(fileURLToPath(import.meta.url)), '..');
/** Suite of the unit tests that runs first and alone, because it keeps all processors busy. */
export const alone = 'test/simulation/depth-1.test.ts';

/**
 * Reports of .ci/run. The counts are well below today's: they only detect a run without tests.
 * @type {Readonly<Record<string, Expected>>}
 */
export const expectedReports = {
  'unit-alone': { passed: 1, suites: (file) => file === alone },
  unit: { passed: 6000, suites: (file) => file !== alone && !isE2e(file) },
  'simulate-orders': { passed: 1 },
  'simulate-fleets': { passed: 1 },
  'simulate-checked': { passed: 1 },
  'simulate-machines': { passed: 1 },
  e2e: {
    passed: 60,
    suites: (file) => isE2e(file) && !leftOutOfSample().includes(file),
  },
};

/** @param {readonly string[]} parts of .ci/run */
export function expectedOf(parts) {
  const partOf = (/** @type {string} */ report) => report.replace(/-.*$/, '');
  return Object.fromEntries(
    Object.entries(expectedReports).filter(([report]) => parts.includes(partOf(report))),
  );
}

/** Reason that the name of a skipped test must contain. */
const reason = /\((?:not found: ([^)]+)|GITLAB_RUNNER_BINARY is not set)\)/;
const counts = [
  'numPassedTests',
  'numFailedTests',
  'numRuntimeErrorTestSuites',
  'numPendingTests',
  'numTodoTests',
];

/**
 * @param {object} given
 * @param {string} given.folder
 * @param {Readonly<Record<string, string | undefined>>} given.environment REQUIRED_TOOLS: programs
 *   installed for this run. Their absence must not skip a test.
 * @param {Readonly<Record<string, Expected>>} [given.expected]
 * @param {readonly string[]} [given.suites] Files with tests, from the project's folder.
 */
export function judgeReports({
  folder,
  environment,
  expected = expectedReports,
  suites = suitesBelow(project, 'test'),
}) {
  const names = existsSync(folder) ? readdirSync(folder).sort() : [];
  const required = (environment['REQUIRED_TOOLS'] ?? '').split(/[\s,]+/).filter(Boolean);
  const all = Object.keys(expected).filter((name) => !names.includes(`${name}.json`));
  const again = names.includes(`${againReport}.json`)
    ? readReport(join(folder, `${againReport}.json`))
    : undefined;
  /** @type {string[]} */
  const flaky = [];
  const parts = [
    ...all.map((name) => nothing(`${name}: there is no report of it`)),
    ...names.flatMap((name) => {
      if (name.endsWith('.failed')) return [nothing(`${name.slice(0, -7)}: it failed`)];
      if (!name.endsWith('.json')) return [];
      const key = name.slice(0, -5);
      if (key === againReport) return problemsOfSecondRun(readReport(join(folder, name)));
      const first = readReport(join(folder, name));
      const second = key === firstReport && isReport(again) ? again : undefined;
      const { report, flaky: found } = withSecondRun(first, second);
      flaky.push(...found.map(fileOf));
      return [judge(report, { key, expected: expected[key], suites, required })];
    }),
  ];
  if (flaky.length > mostFlaky)
    parts.push(nothing(`${flaky.length} suites are flaky, at most ${mostFlaky} may be`));
  const sum = (/** @type {'passed' | 'failed' | 'skipped'} */ of) =>
    parts.reduce((total, part) => total + part[of], 0);
  const problems = parts.flatMap((part) => part.problems);
  return {
    problems,
    flaky,
    passed: sum('passed'),
    failed: sum('failed'),
    skipped: sum('skipped'),
  };
}

/**
 * Returns problems of the second run, whose tests count instead of the first run's. @param {any}
 * report
 */
function problemsOfSecondRun(report) {
  if (!isReport(report)) return [nothing(`${againReport}: its report is none`)];
  return report.wasInterrupted === true ? [nothing(`${againReport}: it was interrupted`)] : [];
}

/**
 * Lists the duration of each suite, longest first.
 * @param {string} folder
 * @returns {{ file: string, minutes: number }[]}
 */
export function suiteTimes(folder) {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) => readReport(join(folder, name))?.testResults ?? [])
    .map(({ name, startTime, endTime }) => ({
      file: fileOf(name),
      minutes: (endTime - startTime) / 60_000,
    }))
    .filter(({ minutes }) => Number.isFinite(minutes))
    .sort((one, other) => other.minutes - one.minutes);
}

/** @param {string} problem */
function nothing(problem) {
  return { problems: [problem], passed: 0, failed: 1, skipped: 0 };
}

/**
 * @param {any} report
 * @param {{ key: string, expected: Expected | undefined, suites: readonly string[], required: readonly string[] }} facts
 */
function judge(report, { key, expected, suites, required }) {
  if (!isReport(report)) return nothing(`${key}: its report is none`);
  const failures = report.numFailedTests + report.numRuntimeErrorTestSuites;
  const passed = report.numPassedTests;
  const ran = (report.testResults ?? []).map((/** @type {any} */ suite) => fileOf(suite.name));
  const missing = suites.filter((file) => expected?.suites?.(file) && !ran.includes(file));
  const problems = [
    ...(report.wasInterrupted === true ? [`${key}: it was interrupted`] : []),
    ...(failures === 0 && report.success !== true ? [`${key}: it failed without a message`] : []),
    ...(passed < (expected?.passed ?? 1)
      ? [`${key}: ${passed} passed, of ${expected?.passed ?? 1} at least`]
      : []),
    ...missing.map((file) => `${key}: ${file} did not run`),
    ...skippedWrongly(report, required).map((text) => `${key}: ${text}`),
  ];
  return {
    problems,
    passed,
    failed: failures + problems.length,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

/** @param {any} report @param {readonly string[]} required */
function skippedWrongly(report, required) {
  const skipped = (report.testResults ?? [])
    .flatMap((/** @type {any} */ suite) => suite.assertionResults)
    .filter((/** @type {any} */ { status }) => !['passed', 'failed'].includes(status));
  const untold = report.numPendingTests + report.numTodoTests - skipped.length;
  return [
    ...(untold > 0 ? [`${untold} skipped without a reason`] : []),
    ...skipped.flatMap((/** @type {{ fullName: string }} */ { fullName }) => {
      const [found, tools = ''] = reason.exec(fullName) ?? [];
      if (found === undefined) return [`skipped without a reason: ${fullName}`];
      const owed = tools.split(', ').filter((tool) => required.includes(tool));
      return owed.length === 0 ? [] : [`skipped, although ${owed.join(', ')} is here: ${fullName}`];
    }),
  ];
}

/** @param {any} report */
function isReport(report) {
  return typeof report === 'object' && counts.every((name) => Number.isInteger(report?.[name]));
}

/** @param {string} path */
function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

/** @param {string} path */
function fileOf(path) {
  return relative(project, path).replaceAll(sep, '/');
}

/** @param {string} root @param {string} folder @returns {string[]} */
function suitesBelow(root, folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return suitesBelow(root, path);
    return entry.name.endsWith('.test.ts') ? [path] : [];
  });
}
