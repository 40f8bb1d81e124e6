import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endGroup, startGroup, summary } from '@actions/core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { openGitHubCommands } from '../../src/adapters/ci/github/github-commands.ts';
import { openGitHubResults } from '../../src/adapters/ci/github/github-results.ts';
import { logSections } from '../../src/adapters/ci/sections.ts';
import { cancelled } from '../../src/errors/external-errors.ts';
import { runOf } from '../report/running.ts';

let folder: string;
let printed: string;
let before: NodeJS.ProcessEnv;
// The toolkit keeps the first summary's path until the process ends, so all tests share one folder.
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'results-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeEach(() => {
  for (const name of ['output', 'summary']) {
    rmSync(join(folder, name), { recursive: true, force: true });
    writeFileSync(join(folder, name), '');
  }
  printed = '';
  before = process.env;
  jest.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += String(text);
    return true;
  });
});
afterEach(() => {
  jest.restoreAllMocks();
  process.env = before;
  summary.emptyBuffer();
});

/** GitHub's toolkit reads the process's environment itself. */
async function open(environment: Record<string, string>) {
  process.env = { ...environment };
  return openGitHubResults(environment, await openGitHubCommands(environment));
}

const github = () => ({
  GITHUB_ACTIONS: 'true',
  GITHUB_OUTPUT: join(folder, 'output'),
  GITHUB_STEP_SUMMARY: join(folder, 'summary'),
});

test('a secret is masked line by line, on GitHub only', async () => {
  (await open({ INPUT_STAGE: 'prepare' })).mask('glrt-0123456789');
  expect(printed).toBe('');
  (await open(github())).mask('-----BEGIN-----\r\nabc%def\n\nx\n');
  expect(printed).toBe('::add-mask::-----BEGIN-----\n::add-mask::abc%25def\n');
});

test('a value cannot become another output or another command', async () => {
  const { log, end } = runOf();
  log.warn('first\n::set-output name=a::b');
  const report = end();
  const hostile = { ...report, activeShard: 'pink\nend_x\nexit_code<<E\n0\nE' };
  await (await open(github())).publish(hostile);
  const output = readFileSync(join(folder, 'output'), 'utf8');
  expect(output).toMatch(
    /^active_shard<<(ghadelimiter_[\w-]{36})\npink\nend_x\nexit_code<<E\n0\nE\n\1\n/,
  );
  expect(printed.split('\n').filter((line) => line.startsWith('::'))).toEqual([
    expect.stringMatching(/^::warning::first/),
  ]);
});

test('an error is printed once', async () => {
  const results = await open(github());
  const error = cancelled('provision', 'hosted-runner provision --runner linux');
  await results.publish(runOf().end({ error }));
  const before = printed;
  results.reportError(error, '✖ provision: provision was cancelled.');
  expect(printed).toBe(before);
  expect(printed).toMatch(/^::warning title=provision%3A provision was cancelled\.::✖ provision/);
});

test('a run without GitHub’s files writes no file', async () => {
  await (await open({ INPUT_STAGE: '' })).publish(runOf().end());
  expect(printed).toBe('');
});

test('each unwritable file of GitHub causes one warning, and hides nothing else', async () => {
  const blocked = {
    ...github(),
    GITHUB_OUTPUT: folder,
    GITHUB_STEP_SUMMARY: join(folder, 'summary'),
  };
  rmSync(join(folder, 'summary'));
  mkdirSync(join(folder, 'summary'));
  (await open(blocked)).reportError(
    cancelled('shutdown', 'hosted-runner shutdown --runner linux'),
    '✖ shutdown: shutdown was cancelled.',
  );
  expect(printed.split('\n')).toEqual([
    '::warning::GITHUB_OUTPUT cannot be written (EISDIR): later steps will not get it.',
    expect.stringMatching(/^::warning title=.*shutdown was cancelled/),
    '',
  ]);
  printed = '';
  await (await open(blocked)).publish(runOf().end());
  expect(printed).toMatch(/^::warning::GITHUB_OUTPUT .*\n/);
  expect(printed).toMatch(
    /::warning::GITHUB_STEP_SUMMARY cannot be written \(EISDIR\): later steps will not get it\./,
  );
});

test('a folded log section equals the toolkit’s text, without loading the toolkit', () => {
  const section = { name: 'a', title: 'Drain of 100%0A of pink', atSeconds: 0 };
  startGroup(section.title);
  endGroup();
  const { open: begin, close } = logSections('github');
  expect(begin(section) + close(section)).toBe(printed);
});
