import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { root } from '../support/program.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'made-from-'));
  for (const name of ['scripts', 'src', 'dist']) mkdirSync(join(folder, name));
  for (const name of ['made-from.js', 'run.js'])
    cpSync(join(root, 'scripts', name), join(folder, 'scripts', name));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  git('init', '--quiet', '--initial-branch=main');
  commit('the first', 'with its dist');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function git(...words: readonly string[]): string {
  const who = ['-c', 'user.name=x', '-c', 'user.email=x@example.com', '-c', 'commit.gpgsign=false'];
  return execFileSync('git', [...who, ...words], { cwd: folder, encoding: 'utf8' }).trim();
}

function build(): void {
  const script =
    "import('./scripts/made-from.js').then((m) => process.stdout.write(m.digestOfSources()))";
  const digest = execFileSync(process.execPath, ['-e', script], { cwd: folder, encoding: 'utf8' });
  writeFileSync(join(folder, 'dist', 'made-from.txt'), `${digest}\n`);
}

function commit(what: string, dist: 'with its dist' | 'without its dist'): string {
  writeFileSync(join(folder, 'src', `${what}.ts`), what);
  if (dist === 'with its dist') build();
  git('add', '--all');
  git('commit', '--quiet', '--message', what);
  return git('rev-parse', 'HEAD');
}

function runCheck(since: string) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/made-from.js', since], {
    cwd: folder,
    encoding: 'utf8',
  });
  return {
    status,
    stdout,
    stale: stderr.split('\n').flatMap((line) => /^ {2}[0-9a-f]{7,} (.+)$/.exec(line)?.[1] ?? []),
  };
}

test('commits that each contain their dist pass', () => {
  const before = commit('a', 'with its dist');
  commit('b', 'with its dist');
  commit('c', 'with its dist');
  expect(runCheck(before)).toMatchObject({ status: 0, stale: [] });
});

test('a commit without its dist is named, even if a later commit repairs it', () => {
  const before = commit('a', 'with its dist');
  commit('b', 'without its dist');
  commit('c', 'with its dist');
  expect(runCheck(before)).toMatchObject({ status: 1, stale: ['b'] });
});

test.each([
  ['at the beginning of a branch', '0'.repeat(40)],
  ['without its former commit', 'a'.repeat(40)],
  ['without information', ''],
])('checks the last commit of a push %s', (_, since) => {
  commit('a', 'without its dist');
  commit('b', 'with its dist');
  expect(runCheck(since)).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('Checking only the last commit'),
    stale: [],
  });
  commit('c', 'without its dist');
  expect(runCheck(since)).toMatchObject({ status: 1, stale: ['c'] });
});

test('a merge of correct commits fails without a new build', () => {
  const before = commit('a', 'with its dist');
  git('checkout', '--quiet', '-b', 'other');
  commit('b', 'with its dist');
  git('checkout', '--quiet', 'main');
  commit('c', 'with its dist');
  git('merge', '--quiet', '--strategy-option=ours', '--message', 'both', 'other');
  expect(runCheck(before)).toMatchObject({ status: 1, stale: ['both'] });
  build();
  git('commit', '--quiet', '--all', '--amend', '--no-edit');
  expect(runCheck(before)).toMatchObject({ status: 0, stale: [] });
});
