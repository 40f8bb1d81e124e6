/**
 * Prints the suites that were running when a run was ended from outside. Otherwise a hang would
 * show only a time limit: jest prints a suite when it has ended.
 */
export default class StillRunning {
  constructor() {
    /** @type {Map<string, number>} when each suite began, in ms since the epoch */
    this.running = new Map();
    process.once('SIGTERM', () => {
      process.stderr.write(`\n${wordsFor(this.running, Date.now())}\n`);
      process.exit(143);
    });
  }

  /** @param {import('@jest/reporters').Test} test */
  onTestFileStart({ path }) {
    this.running.set(path, Date.now());
  }

  /** @param {import('@jest/reporters').Test} test */
  onTestFileResult({ path }) {
    this.running.delete(path);
  }
}

/** @param {ReadonlyMap<string, number>} running @param {number} now @returns {string} */
export function wordsFor(running, now) {
  if (running.size === 0) return 'Ended from outside, while no suite was running.';
  const lines = [...running].map(
    ([path, since]) => `  ${path}, for ${Math.round((now - since) / 1000)} s`,
  );
  return ['Ended from outside. Still running:', ...lines].join('\n');
}
