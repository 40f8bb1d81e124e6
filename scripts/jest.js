import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { runPackage } from './run.js';

// usage: node scripts/jest.js unit|e2e [jest arguments]
// Flags to node rather than NODE_OPTIONS: jest hands them to its workers, and programs that tests
// start do not inherit them.
const [suite = 'unit', ...rest] = process.argv.slice(2);
const config = suite === 'e2e' ? 'jest.e2e.config.js' : 'jest.config.js';
const reportFolder = process.env['TEST_REPORTS'];
if (reportFolder) mkdirSync(reportFolder, { recursive: true });
const report = reportFolder
  ? ['--json', `--outputFile=${join(reportFolder, `${suite}.json`)}`]
  : [];

process.exitCode = runPackage({
  packageName: 'jest',
  command: 'jest',
  nodeArgs: ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'],
  args: ['--config', config, ...report, ...rest],
});
