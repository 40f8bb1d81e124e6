import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../run.js';

/** @typedef {{ path: string, text: string }} TextFile */

const counted = /\.(?:md|ts|js)$/;
/** The changelog of a package that is copied, licences and captured output are not texts of this project. */
const foreign = /^(?:dist|node_modules|build|test\/fixtures)\//;

/**
 * The documents and sources of the working tree, or of a commit.
 * @param {string} [revision] anything that git resolves @returns {TextFile[]} sorted by path
 */
export function readTree(revision) {
  return revision === undefined ? readWorkingTree() : readCommit(revision);
}

function readWorkingTree() {
  const listed = git(['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate']);
  const deleted = new Set(lines(git(['ls-files', '--deleted'])));
  return select(lines(listed).filter((path) => !deleted.has(path))).map((path) => ({
    path,
    text: readFileSync(join(root, path), 'utf8'),
  }));
}

/** @param {string} revision */
function readCommit(revision) {
  const paths = select(lines(git(['ls-tree', '-r', '--name-only', revision])));
  const batch = execFileSync('git', ['cat-file', '--batch'], {
    cwd: root,
    input: paths.map((path) => `${revision}:${path}\n`).join(''),
    maxBuffer: 2 ** 30,
  });
  let offset = 0;
  return paths.map((path) => {
    const end = batch.indexOf('\n', offset);
    const size = Number(batch.subarray(offset, end).toString().split(' ')[2]);
    offset = end + 1 + size + 1;
    return { path, text: batch.subarray(end + 1, end + 1 + size).toString() };
  });
}

/** @param {string[]} args */
function git(args) {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 28 });
}

/** @param {string} text */
function lines(text) {
  return text.split('\n').filter((line) => line !== '');
}

/** @param {string[]} paths */
function select(paths) {
  return paths.filter((path) => counted.test(path) && !foreign.test(path)).sort();
}
