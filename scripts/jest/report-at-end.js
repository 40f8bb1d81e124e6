import { relative } from 'node:path';
import { root } from '../run.js';

/** Heading whose test names are a result that is worth reading. */
const heading = /^Held against (.+)$/;

const slowest = 10;

/**
 * Prints, after all suites, the names of passed tests below such a heading, and the slowest suites.
 */
export default class EndReporter {
  constructor() {
    /** @type {string[]} */
    this.lines = [];
    /** @type {{ path: string, ms: number }[]} */
    this.times = [];
  }

  /** @param {unknown} _ @param {import('@jest/reporters').TestResult} result */
  onTestResult(_, { testFilePath, perfStats, testResults }) {
    this.times.push({ path: testFilePath, ms: perfStats.runtime });
    for (const { ancestorTitles, title, status } of testResults)
      if (status === 'passed' && heading.test(ancestorTitles[0] ?? ''))
        this.lines.push(`  ${ancestorTitles[0]}: ${title}`);
  }

  onRunComplete() {
    const { compare } = new Intl.Collator('en', { numeric: true });
    const lines = [...this.lines.toSorted(compare), ...slowestOf(this.times)];
    if (lines.length > 0) process.stderr.write(`\n${lines.join('\n')}\n`);
  }
}

/** @param {readonly { path: string, ms: number }[]} times @returns {string[]} lines; none if few suites ran */
export function slowestOf(times) {
  if (times.length <= slowest) return [];
  const sorted = times.toSorted((one, other) => other.ms - one.ms).slice(0, slowest);
  return [
    `The ${slowest} slowest of ${times.length} suites:`,
    ...sorted.map(
      ({ path, ms }) => `${(ms / 1000).toFixed(1).padStart(7)} s  ${relative(root, path)}`,
    ),
  ];
}
