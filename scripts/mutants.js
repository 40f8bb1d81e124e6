import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { changedLines } from './mutants/changed-lines.js';
import { root, runPackage } from './run.js';

// usage: npm run mutants -- [--since REF] [FILE...]
// Breaks the sources in one place after the other, and prints each mutant that no test notices. Without arguments all
// of src/. With --since, the lines that are new since REF, those not committed yet included.
const { values, positionals } = parseArgs({
  options: { since: { type: 'string' } },
  allowPositionals: true,
});
const wanted = values.since === undefined ? positionals : changedSince(values.since);
if (values.since !== undefined && wanted.length === 0) {
  console.log(`No line of src/ is new since ${values.since}.`);
} else {
  process.exitCode = runPackage({
    packageName: '@stryker-mutator/core',
    command: 'stryker',
    args: [
      'run',
      'scripts/mutants/stryker.config.js',
      ...(wanted.length > 0 ? ['--mutate', wanted.join(',')] : []),
    ],
  });
}

/** @param {string} ref @returns {string[]} files with the lines, or whole new files */
function changedSince(ref) {
  const paths = positionals.length > 0 ? positionals : ['src'];
  const diff = git('diff', '--unified=0', '--no-color', '--no-ext-diff', ref, '--', ...paths);
  const added = git('ls-files', '--others', '--exclude-standard', '--', ...paths);
  return [...changedLines(diff), ...added.split('\n')].filter((one) => /\.ts(:|$)/.test(one));
}

/** @param {string[]} args @returns {string} */
function git(...args) {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  if (status === 0) return stdout;
  console.error(stderr.trim());
  process.exit(2);
}
