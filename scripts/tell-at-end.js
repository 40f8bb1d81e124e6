/** Under a heading that begins so, the names of tests are a result that is worth reading. */
const heading = /^Held against (.+)$/;

/** Prints the names of passed tests that stand under such a heading, once everything has run. */
export default class TellAtEnd {
  constructor() {
    /** @type {string[]} */
    this.lines = [];
  }

  /** @param {unknown} _ @param {import('@jest/reporters').TestResult} result */
  onTestResult(_, { testResults }) {
    for (const { ancestorTitles, title, status } of testResults)
      if (status === 'passed' && heading.test(ancestorTitles[0] ?? ''))
        this.lines.push(`  ${ancestorTitles[0]}: ${title}`);
  }

  onRunComplete() {
    const { compare } = new Intl.Collator('en', { numeric: true });
    const sorted = this.lines.toSorted(compare);
    if (sorted.length > 0) process.stderr.write(`\n${sorted.join('\n')}\n`);
  }
}
