import { expectedOf, judgeReports, suiteTimes } from './tally-reports.js';

// usage: node scripts/tally.js FOLDER PART ...
// Adds up the results of .ci/run: jest's JSON reports, others in that form, and files named
// *.failed of parts that failed without a report. Prints the slowest suites, the missing suites,
// the flaky suites, and one final line.
const [folder = '.ci/reports', ...parts] = process.argv.slice(2);
const { problems, flaky, passed, failed, skipped } = judgeReports({
  folder,
  environment: process.env,
  expected: expectedOf(parts),
});

for (const { file, minutes } of suiteTimes(folder).slice(0, 25))
  console.log(`${minutes.toFixed(1).padStart(5)} min  ${file}`);
for (const problem of problems) console.log(`✖ ${problem}`);
if (flaky.length > 0)
  console.log(`${flaky.length} flaky (failed, then passed alone): ${flaky.join(', ')}`);
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exitCode = failed > 0 ? 1 : 0;
