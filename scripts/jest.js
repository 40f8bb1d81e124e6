import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { runThroughPauses } from './jest/machine-pauses.js';
import { notOfUnit, shared } from './jest/shared.js';
import { knownToThisNode, runPackage } from './run.js';
import { alone } from './tally-reports.js';

// usage: node scripts/jest.js unit|e2e [--alone|--after-alone|jest arguments]
// Without arguments the suite that is played by itself, then all others; or one of the two.
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
const left = { unit: notOfUnit, e2e: shared.testPathIgnorePatterns };
process.exitCode = Math.max(...runAll());

/** @returns {number[]} exit codes */
function runAll() {
  const wanted = rest.length === 0 ? ['--alone', '--after-alone'] : rest;
  if (suite !== 'unit' && suite !== 'e2e') return [run(suite, rest)];
  if (!wanted.every((one) => one === '--alone' || one === '--after-alone'))
    return [run(suite, rest)];
  return wanted.map((one) =>
    one === '--alone'
      ? run(`${suite}-alone`, ['--runTestsByPath', alone[suite]])
      : run(suite, ['--testPathIgnorePatterns', ...left[suite], alone[suite]]),
  );
}

/** @param {string} name of the report @param {string[]} args @returns {number} exit code */
function run(name, args) {
  return runThroughPauses({
    args,
    report: reportFolder ? join(reportFolder, `${name}.json`) : undefined,
    tell: (line) => process.stderr.write(`${line}\n`),
    run: (chosen, report) =>
      runPackage({
        packageName: 'jest',
        command: 'jest',
        nodeArgs,
        args: [
          '--config',
          suite === 'e2e' ? 'jest.e2e.config.js' : 'jest.config.js',
          ...(report === undefined ? [] : ['--json', `--outputFile=${report}`]),
          ...chosen,
        ],
      }),
  });
}
