import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { root } from '../run.js';

/** Under a heading that begins so, the names of tests are a result that is worth reading. */
const heading = /^Held against (.+)$/;

/**
 * Where suites leave what the whole run is asked for: a file each, of `{ "what", "ms", "line" }`. Of
 * all that are about the same the greatest is told.
 */
export const folderVariable = 'TELL_AT_END';

const slowest = 10;

/**
 * Prints, after all suites, the names of passed tests below such a heading, the lines that suites have left, and the
 * slowest suites.
 */
export default class TellAtEnd {
  constructor() {
    /** @type {string[]} */
    this.lines = [];
    /** @type {{ path: string, ms: number }[]} */
    this.times = [];
    // Before any worker is begun, which inherits it.
    this.folder = mkdtempSync(join(tmpdir(), 'tell-at-end-'));
    process.env[folderVariable] = this.folder;
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
    const told = [
      ...this.lines.toSorted(compare),
      ...greatestOf(this.folder),
      ...slowestOf(this.times),
    ];
    rmSync(this.folder, { recursive: true, force: true });
    if (told.length > 0) process.stderr.write(`\n${told.join('\n')}\n`);
  }
}

/** @param {string} folder @returns {string[]} a line for each thing that suites have measured */
export function greatestOf(folder) {
  /** @type {Map<string, { what: string, ms: number, line: string }[]>} */
  const measured = new Map();
  for (const name of readdirSync(folder)) {
    const one = JSON.parse(readFileSync(join(folder, name), 'utf8'));
    measured.set(one.what, [...(measured.get(one.what) ?? []), one]);
  }
  return [...measured].map(([what, all]) => {
    const { line } = all.reduce((greatest, one) => (one.ms > greatest.ms ? one : greatest));
    return `  ${what}, of ${all.length} ${all.length === 1 ? 'suite' : 'suites'}: ${line}`;
  });
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
