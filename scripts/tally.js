import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

// usage: node scripts/tally.js FOLDER
// Adds up jest's JSON reports, and the files named *.failed that .ci/run leaves for a part that
// failed without a report. Prints one line.
const folder = process.argv[2] ?? '.ci/reports';
const total = { passed: 0, failed: 0, skipped: 0 };

for (const name of readdirSync(folder)) {
  if (name.endsWith('.failed')) total.failed += 1;
  if (!name.endsWith('.json')) continue;
  const report = JSON.parse(readFileSync(join(folder, name), 'utf8'));
  total.passed += report.numPassedTests;
  // A suite that could not even be loaded has no tests to count.
  const failed = report.numFailedTests + report.numRuntimeErrorTestSuites;
  total.failed += failed === 0 && !report.success ? 1 : failed;
  total.skipped += report.numPendingTests + report.numTodoTests;
}

console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exitCode = total.failed > 0 ? 1 : 0;
