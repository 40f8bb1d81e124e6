import { judgeReports } from './tally-reports.js';

// usage: node scripts/tally.js FOLDER
// Adds up what .ci/run has left: jest's JSON reports, others in their shape, and files named *.failed
// of parts that failed without a report. Says what should have run and has not, and ends in one line.
const folder = process.argv[2] ?? '.ci/reports';
const { problems, passed, failed, skipped } = judgeReports({ folder, environment: process.env });

for (const problem of problems) console.log(`✖ ${problem}`);
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exitCode = failed > 0 ? 1 : 0;
