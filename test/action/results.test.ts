import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createGitHubCommands } from '../../src/adapters/ci/github/github-commands.ts';
import { openGitHubResults } from '../../src/adapters/ci/github/github-results.ts';
import { cancelled } from '../../src/errors/world.ts';
import { tellRun } from '../report/running.ts';

let folder: string;
let printed: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'results-'));
  printed = '';
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function open(environment: Record<string, string>) {
  const random = { id: () => 'abcdefgh12345678', fraction: () => 0 };
  const write = (text: string) => {
    printed += text;
  };
  const commands = createGitHubCommands({ environment, random, write });
  return openGitHubResults(environment, commands);
}

const github = () => ({
  GITHUB_ACTIONS: 'true',
  GITHUB_OUTPUT: join(folder, 'output'),
  GITHUB_STEP_SUMMARY: join(folder, 'summary'),
});

test('a secret is masked line by line, on GitHub only', () => {
  open({ INPUT_STAGE: 'prepare' }).mask('glrt-0123456789');
  expect(printed).toBe('');
  open(github()).mask('-----BEGIN-----\r\nabc%def\n\nx\n');
  expect(printed).toBe('::add-mask::-----BEGIN-----\n::add-mask::abc%25def\n');
});

test('a value cannot become another output or another command', async () => {
  const { log, end } = tellRun();
  log.warn('first\n::set-output name=a::b');
  const report = end();
  const hostile = { ...report, activeShard: 'pink\nend_x\nexit_code<<E\n0\nE' };
  await open(github()).publish(hostile);
  const output = readFileSync(join(folder, 'output'), 'utf8');
  expect(output).toMatch(
    /^active_shard<<end_abcdefgh12345678\npink\nend_x\nexit_code<<E\n0\nE\nend_abcdefgh12345678\n/,
  );
  expect(printed.split('\n').filter((line) => line.startsWith('::'))).toEqual([
    expect.stringMatching(/^::warning::first/),
  ]);
});

test('an error is told once', async () => {
  const results = open(github());
  const error = cancelled('provision', 'hosted-runner provision --runner linux');
  await results.publish(tellRun().end({ error }));
  const before = printed;
  results.tellError(error, '✖ provision: provision was cancelled.');
  expect(printed).toBe(before);
  expect(printed).toMatch(/^::warning title=provision%3A provision was cancelled\.::✖ provision/);
});

test('without the files of GitHub nothing is written', async () => {
  await open({ INPUT_STAGE: '' }).publish(tellRun().end());
  expect(printed).toBe('');
});

test('files of GitHub that cannot be written are told once each, and hide nothing else', async () => {
  const blocked = { ...github(), GITHUB_OUTPUT: folder, GITHUB_STEP_SUMMARY: join(folder, 'x/y') };
  open(blocked).tellError(
    cancelled('shutdown', 'hosted-runner shutdown --runner linux'),
    '✖ shutdown: shutdown was cancelled.',
  );
  expect(printed.split('\n')).toEqual([
    '::warning::GITHUB_OUTPUT cannot be written (EISDIR): later steps will miss it.',
    expect.stringMatching(/^::warning title=.*shutdown was cancelled/),
    '',
  ]);
  printed = '';
  await open(blocked).publish(tellRun().end());
  expect(printed).toMatch(/^::warning::GITHUB_OUTPUT .*\n/);
  expect(printed).toMatch(/::warning::GITHUB_STEP_SUMMARY cannot be written \(ENOENT\)/);
});
