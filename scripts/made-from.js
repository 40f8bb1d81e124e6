import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from './run.js';

/** Inputs of dist/: the sources, the packages, and the build scripts. */
const inputs = [
  'src',
  'sandbox',
  'package-lock.json',
  'tsconfig.json',
  'scripts/build.js',
  'scripts/bundle/bundle.js',
  'scripts/bundle/bundles.js',
  'scripts/bundle/chunks.js',
  'scripts/bundle/licenses.js',
  'scripts/bundle/packing.js',
];

/** File in dist/ with the digest of its sources. */
export const digestFile = 'made-from.txt';

/** Returns the digest of the current files, both tracked and new. */
export function digestOfSources() {
  const listed = git([
    'ls-files',
    '-z',
    '--cached',
    '--others',
    '--exclude-standard',
    '--',
    ...inputs,
  ]);
  const paths = [...new Set(listed.split('\0'))].filter(
    (path) => path !== '' && existsSync(join(root, path)),
  );
  return digestOf(paths.map((path) => [path, blobId(readFileSync(join(root, path)))]));
}

/** Returns the digest of a commit, without checking it out. */
function digestOfCommit(/** @type {string} */ commit) {
  const lines = git(['ls-tree', '-r', '-z', commit, '--', ...inputs]).split('\0');
  return digestOf(
    lines
      .filter((line) => line !== '')
      .map((line) => {
        const [facts = '', path = ''] = line.split('\t');
        return [path, facts.split(' ')[2] ?? ''];
      }),
  );
}

/** @param {readonly (readonly [string, string])[]} entries */
function digestOf(entries) {
  const lines = entries.map(([path, id]) => `${id} ${path}\n`).sort();
  return createHash('sha256').update(lines.join('')).digest('hex');
}

/** Returns Git's id of a file's content: both digests then agree. .gitattributes has no CRLF. */
function blobId(/** @type {Buffer} */ content) {
  return createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex');
}

/** @returns {string} */
function git(/** @type {string[]} */ words) {
  return execFileSync('git', words, { cwd: root, encoding: 'utf8', maxBuffer: 1e9 });
}

// usage: node scripts/made-from.js <commit that is merged into, or that was there before a push>
// Checks that every commit since then has a dist/ that matches its sources.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [base = 'origin/HEAD'] = process.argv.slice(2);
  const commits = commitsSince(base);
  const stale = commits.filter((commit) => digestOfCommit(commit) !== digestIn(commit));
  for (const commit of stale)
    console.error(`  ${git(['log', '-1', '--format=%h %s', commit]).trim()}`);
  if (stale.length > 0) {
    console.error(
      'These commits have a dist/ of other sources. Build and commit it with each of them:',
    );
    console.error(
      `  git rebase --exec 'npm run build && git add dist && git commit --amend --no-edit' ${base}`,
    );
    process.exitCode = 1;
  } else
    console.log(
      `${commits.length} ${commits.length === 1 ? 'commit' : 'commits'}, each with the dist/ of its sources.`,
    );
}

/**
 * Lists the commits to check. Merges are skipped, except the last commit, which users run. The
 * first push of a branch has no previous commit, and that of a forced push may be gone: then only
 * the last commit can be checked.
 */
function commitsSince(/** @type {string} */ base) {
  const last = git(['rev-parse', 'HEAD']).trim();
  if (!isThere(base)) {
    console.log(
      `${base || 'The commit before'} is not in this repository. Checking only the last commit.`,
    );
    return [last];
  }
  const commits = git(['rev-list', '--reverse', '--no-merges', `${base}..HEAD`])
    .split('\n')
    .filter(Boolean);
  return commits.includes(last) ? commits : [...commits, last];
}

function isThere(/** @type {string} */ name) {
  try {
    execFileSync('git', ['cat-file', '-e', `${name}^{commit}`], { cwd: root, stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

function digestIn(/** @type {string} */ commit) {
  try {
    const file = `${commit}:dist/${digestFile}`;
    return execFileSync('git', ['show', file], {
      cwd: root,
      stdio: 'pipe',
      encoding: 'utf8',
    }).trim();
  } catch {
    return undefined;
  }
}
