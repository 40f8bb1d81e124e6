import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { runThroughPauses } from './jest/machine-pauses.js';
import { notOfUnit, shared } from './jest/shared.js';
import { runPackage } from './run.js';
import { alone } from './tally-reports.js';

// usage: node scripts/jest.js unit|e2e [jest arguments]
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
  '--single-threaded-gc',
  '--interrupt-budget=300000',
];
const left = { unit: notOfUnit, e2e: shared.testPathIgnorePatterns };
const codes =
  rest.length === 0 && (suite === 'unit' || suite === 'e2e')
    ? [
        run(`${suite}-alone`, ['--runTestsByPath', alone[suite]]),
        run(suite, ['--testPathIgnorePatterns', ...left[suite], alone[suite]]),
      ]
    : [run(suite, rest)];
process.exitCode = Math.max(...codes);

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
