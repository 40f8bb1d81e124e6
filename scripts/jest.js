import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { againReport, firstReport, suitesToRunAgain } from './jest/failed-again.js';
import { leftOutOfSample } from './jest/process-suites.js';
import { chooseSample } from './jest/sample.js';
import { notOfUnit, shared } from './jest/shared.js';
import { knownToThisNode, runPackage } from './run.js';
import { alone } from './tally-reports.js';

// usage: node scripts/jest.js unit|e2e [--again|jest arguments]
// Without arguments, all suites run; of the unit tests, the simulation runs first.
// With --again, the e2e suites run again that failed according to the reports in `TEST_REPORTS`.
// Flags are passed to node, not by `NODE_OPTIONS`: jest passes them on to its workers, but programs
// that tests start do not inherit them.
const [suite = 'unit', ...rest] = process.argv.slice(2);
const reportFolder = process.env['TEST_REPORTS'];
if (reportFolder) mkdirSync(reportFolder, { recursive: true });

// Each processor has a worker, so V8's helper threads would only compete with them. Code optimized
// early is optimized repeatedly, as in scripts/simulate.js.
const nodeArgs = [
  '--experimental-vm-modules',
  '--disable-warning=ExperimentalWarning',
  ...knownToThisNode(['--single-threaded-gc', '--interrupt-budget=300000']),
];
chooseSample({ suite, rest, environment: process.env, tell: (line) => console.log(line) });
process.exitCode = Math.max(...runAll());

/** @returns {number[]} exit codes */
function runAll() {
  if (suite === 'e2e' && rest[0] === '--again') return [runAgain(reportFolder ?? '.ci/reports')];
  if (rest.length > 0) return [run(suite, rest)];
  if (suite === 'e2e')
    return [runWithout([...shared.testPathIgnorePatterns, ...leftOutOfSample()])];
  return [run('unit-alone', ['--runTestsByPath', alone]), runWithout([...notOfUnit, alone])];
}

/** @param {string[]} left patterns of the suites that do not run @returns {number} exit code */
function runWithout(left) {
  return run(suite, ['--testPathIgnorePatterns', ...left]);
}

/** @param {string} folder of the reports @returns {number} exit code */
function runAgain(folder) {
  const { again, tooMany } = suitesToRunAgain(readReport(folder, firstReport));
  if (tooMany > 0) console.log(`${tooMany} e2e suites failed: none is run again.`);
  if (again.length === 0) return 0;
  return run(againReport, ['--maxWorkers=1', '--runTestsByPath', ...again]);
}

/** @param {string} folder @param {string} name */
function readReport(folder, name) {
  try {
    return JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'));
  } catch {
    // A missing or truncated report is a failure of that run: scripts/tally.js counts it.
    return undefined;
  }
}

/** @param {string} name of the report @param {string[]} args @returns {number} exit code */
function run(name, args) {
  return runPackage({
    packageName: 'jest',
    command: 'jest',
    nodeArgs,
    args: [
      '--config',
      suite === 'e2e' ? 'jest.e2e.config.js' : 'jest.config.js',
      ...(reportFolder ? ['--json', `--outputFile=${join(reportFolder, `${name}.json`)}`] : []),
      ...args,
    ],
  });
}
