import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** How many there are in each folder of the product. @param {ReadonlyArray<{ file: string }>} mutants */
export function countsOf(mutants) {
  /** @type {Record<string, number>} */
  const counts = {};
  for (const { file } of mutants) {
    const folder = file
      .split('/')
      .slice(0, file.startsWith('src/adapters/') ? 3 : 2)
      .join('/');
    counts[folder] = (counts[folder] ?? 0) + 1;
  }
  const parts = Object.entries(counts)
    .sort(([one], [other]) => one.localeCompare(other))
    .map(([folder, count]) => `${folder} ${count}`);
  return `${mutants.length} mutants: ${parts.join(', ')}`;
}

/** In the shape of jest's report, for the tally. @param {{ passed: number, failed: number }} counts */
export function tell({ passed, failed }) {
  const folder = process.env['TEST_REPORTS'];
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  const counts = {
    numPassedTests: passed,
    numFailedTests: failed,
    numPendingTests: 0,
    numTodoTests: 0,
  };
  const whole = { ...counts, numRuntimeErrorTestSuites: 0, success: failed === 0 };
  writeFileSync(join(folder, 'mutants.json'), JSON.stringify(whole));
}
