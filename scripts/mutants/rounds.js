import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/**
 * @typedef {{ kind: 'caught', layer: string, file: string, test: string, why: string } | { kind: 'survived' } | { kind: 'broken', why: string }} Fate
 * @typedef {{ name: string, files: readonly string[], tests?: Record<string, readonly string[]> }} Layer
 * @typedef {{ mutant?: { file: string, find: string, replace: string }, layers: readonly Layer[] }} Round
 */

/**
 * Of one file of tests, for what never ends; a list of such is not wanted, so it counts as a mistake in the
 * list. What is played beside others waits for its turn, and has taken six times as long as by itself.
 */
const longestMs = 1_200_000;

/**
 * Rounds in a process of their own, one after another; as many fates as came to their end, and of a single
 * round always one.
 * @param {{ root: string, compiled: string, rounds: readonly Round[] }} order
 * @returns {Promise<Fate[]>}
 */
export function playRounds(order) {
  const child = fork(
    fileURLToPath(new URL('./play-rounds.js', import.meta.url)),
    [JSON.stringify(order)],
    {
      cwd: order.root,
      silent: true,
      execArgv: ['--disable-warning=ExperimentalWarning'],
    },
  );
  return new Promise((settle) => {
    let layer = '';
    let file = '';
    let said = '';
    /** @type {Fate[]} */
    const fates = [];
    child.stderr?.setEncoding('utf8').on('data', (text) => {
      said += text;
    });
    let isTooLong = false;
    const timer = setTimeout(() => {
      isTooLong = true;
      child.kill('SIGKILL');
    }, longestMs);
    child.on('message', (/** @type {any} */ { kind, round, ...rest }) => {
      timer.refresh();
      if (kind === 'file') ({ layer, file } = rest);
      else fates[round] = { kind, ...rest };
    });
    child.on('close', (code) => {
      clearTimeout(timer);
      const { rounds } = order;
      if (rounds.length === 1 && fates.length === 0) fates.push(endOf(code));
      settle(fates);
    });

    /** Of a round that has not said how it ended. @returns {Fate} */
    function endOf(/** @type {number | null} */ code) {
      if (isTooLong)
        return { kind: 'broken', why: `it did not end in ${longestMs / 1000} s, in ${file}` };
      // Nothing is left to happen, and a test still waits: jest would give up on it in time.
      if ((code === 0 || code === 13) && file !== '')
        return { kind: 'caught', layer, file: '', test: '(it waits for ever)', why: '' };
      return { kind: 'broken', why: `exit code ${code}: ${said.slice(-500)}` };
    }
  });
}
