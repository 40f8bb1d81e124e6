import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { isE2e } from './jest/process-suites.js';
import { changedLines } from './mutants/changed-lines.js';
import { nearestSuites } from './mutants/nearest-suites.js';
import { root, runPackage } from './run.js';

// usage: npm run mutants -- [--since REF] [--suites N] [FILE...]
// Changes the sources in one place after another, and prints each mutant that no test detects.
// Without files, all of src/. With --since, the lines that are new since REF, including uncommitted
// ones.
// The mutants of a folder are tested by the N closest suites. Another suite may detect a surviving
// mutant.
const { values, positionals } = parseArgs({
  options: { since: { type: 'string' }, suites: { type: 'string', default: '12' } },
  allowPositionals: true,
});
process.chdir(root);
// Remainder of an interrupted run.
rmSync('.ci/mutants', { recursive: true, force: true });
const count = Number(values.suites);
if (!Number.isInteger(count) || count < 1)
  refuse(`--suites ${values.suites} is no number of suites`);
const wanted = values.since === undefined ? listSources() : changedSince(values.since);
if (wanted.length === 0 && values.since !== undefined)
  console.log(`No line of src/ is new since ${values.since}.`);
if (wanted.length === 0 && values.since === undefined)
  refuse(`no source of src/ is named by ${positionals.join(' ')}`);
const folders = [...new Set(wanted.map((one) => dirname(one)))];
const exitCodes = folders.map((folder) => play(wanted.filter((one) => dirname(one) === folder)));
process.exitCode = Math.max(0, ...exitCodes);

/** @param {string[]} places files, some with their lines, of one folder @returns {number} exit code */
function play(places) {
  const suites = nearestSuites({
    sources: places.map((one) => one.replace(/:.*/, '')),
    count,
    isSuite: (file) => file.endsWith('.test.ts') && !isE2e(file),
    folders: ['src', 'sandbox', 'test'],
  });
  console.log(`Mutants of ${places.join(', ')}, and ${suites.length} suites`);
  process.env['SUITES_OF_MUTANTS'] = suites.join(',');
  return runPackage({
    packageName: '@stryker-mutator/core',
    command: 'stryker',
    args: ['run', 'scripts/mutants/stryker.config.js', '--mutate', places.join(',')],
  });
}

/** @returns {string[]} */
function listSources() {
  const paths = positionals.length > 0 ? positionals : ['src'];
  const listed = git('ls-files', '--', ...paths).split('\n');
  return listed.filter((one) => /^src\/.*\.ts$/.test(one));
}

/** @param {string} ref @returns {string[]} files with the lines, or whole new files */
function changedSince(ref) {
  const paths = positionals.length > 0 ? positionals : ['src'];
  const diff = git('diff', '--unified=0', '--no-color', '--no-ext-diff', ref, '--', ...paths);
  const added = git('ls-files', '--others', '--exclude-standard', '--', ...paths);
  const changed = [...changedLines(diff), ...added.split('\n')];
  return changed.filter((one) => /^src\/.*\.ts(:|$)/.test(one));
}

/** @param {string[]} args @returns {string} */
function git(...args) {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  if (status === 0) return stdout;
  return refuse(stderr.trim());
}

/** @param {string} reason @returns {never} */
function refuse(reason) {
  console.error(reason);
  process.exit(2);
}
