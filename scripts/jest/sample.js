import { spawnSync } from 'node:child_process';
import { root } from '../run.js';

/**
 * Chooses the sample for a whole run of the unit tests: one in twenty of the repeated cases, by the
 * commit. Variables that are set take precedence; chosen test files run whole.
 * @param {object} given
 * @param {string} given.suite
 * @param {readonly string[]} given.rest the other arguments
 * @param {Record<string, string | undefined>} given.environment is changed: jest's workers inherit it
 * @param {(line: string) => void} given.tell
 * @param {() => string} [given.commit]
 */
export function chooseSample({ suite, rest, environment, tell: print, commit = headCommit }) {
  if (suite === 'unit' && rest.length === 0) environment['ONE_IN'] ??= '20';
  const oneIn = environment['ONE_IN'] ?? '1';
  if (oneIn === '1') return;
  environment['SAMPLE_SEED'] ??= commit();
  const again = `ONE_IN=${oneIn} SAMPLE_SEED=${environment['SAMPLE_SEED']}`;
  print(
    `Repeated cases are sampled, one in ${oneIn}. The same sample: ${again}; all cases: ONE_IN=1`,
  );
}

/** @returns {string} a fixed word outside a git repository, to make failures repeatable */
function headCommit() {
  const { status, stdout } = spawnSync('git', ['rev-parse', 'HEAD'], {
    cwd: root,
    encoding: 'utf8',
  });
  return status === 0 ? stdout.trim() : 'none';
}
