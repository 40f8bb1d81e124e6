import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { againReport, rerunReports, suitesToRunAgain } from './jest/failed-again.js';
import { leftOutOfSample } from './jest/process-suites.js';
import { chooseSample } from './jest/sample.js';
import { notOfUnit, shared } from './jest/shared.js';
import { knownToThisNode, runPackage } from './run.js';
import { alone } from './tally-reports.js';

// usage: node scripts/jest.js unit|e2e [--alone|--after-alone|--again|jest arguments]
// Without arguments the suite that is played by itself, then all others; or one of the two.
// --again runs the e2e suites again that failed according to the reports in TEST_REPORTS.
// Flags to node rather than NODE_OPTIONS: jest hands them to its workers, and programs that tests
// start do not inherit them.
const [suite = 'unit', ...rest] = process.argv.slice(2);
const reportFolder = process.env['TEST_REPORTS'];
if (reportFolder) mkdirSync(reportFolder, { recursive: true });

// There is a worker for each processor, and V8's helpers would only take from them; what is optimized
// early is optimized again and again, as in scripts/simulate.js.
const nodeArgs = [
  '--experimental-vm-modules',
  '--disable-warning=ExperimentalWarning',
  ...knownToThisNode(['--single-threaded-gc', '--interrupt-budget=300000']),
];
chooseSample({ suite, rest, environment: process.env, tell: (line) => console.log(line) });
const left = { unit: notOfUnit, e2e: [...shared.testPathIgnorePatterns, ...leftOutOfSample()] };
process.exitCode = Math.max(...runAll());

/** @returns {number[]} exit codes */
function runAll() {
  const wanted = rest.length === 0 ? ['--alone', '--after-alone'] : rest;
  if (suite !== 'unit' && suite !== 'e2e') return [run(suite, rest)];
  if (suite === 'e2e' && rest[0] === '--again') return [runAgain(reportFolder ?? '.ci/reports')];
  if (!wanted.every((one) => one === '--alone' || one === '--after-alone'))
    return [run(suite, rest)];
  return wanted.map((one) =>
    one === '--alone'
      ? run(`${suite}-alone`, ['--runTestsByPath', alone[suite]])
      : run(suite, ['--testPathIgnorePatterns', ...left[suite], alone[suite]]),
  );
}

/** @param {string} folder of the reports @returns {number} exit code */
function runAgain(folder) {
  const { again, tooMany } = suitesToRunAgain(rerunReports.map((name) => readReport(folder, name)));
  if (tooMany > 0) console.log(`${tooMany} e2e suites failed: none is run again.`);
  if (again.length === 0) return 0;
  return run(againReport, ['--maxWorkers=1', '--runTestsByPath', ...again]);
}

/** @param {string} folder @param {string} name */
function readReport(folder, name) {
  try {
    return JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'));
  } catch {
    // A missing or cut report is a failure of the run that should have written it: scripts/tally.js counts it.
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
