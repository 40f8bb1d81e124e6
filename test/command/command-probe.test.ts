import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { over, pink } from './commands.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'probe-'));
  writeFileSync(join(folder, 'deploy-pink'), '#!/bin/sh\n', { mode: 0o755 });
  writeFileSync(join(folder, 'remove'), '#!/bin/sh\n', { mode: 0o644 });
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function lacks(...given: Parameters<typeof over>): Promise<string[]> {
  const results = await over(...given).probe(pink.runnerName);
  return results
    .filter(({ outcome }) => outcome === 'missing')
    .map(({ what, detail }) => `${what}: ${detail}`);
}

test('names every command that could not start, for each shard, at once', async () => {
  const settings = { destroy: ['./remove'], outputs: ['show-nothing'], workingDirectory: folder };
  expect(await lacks(['./deploy-{shard}', '{runner_name}'], { settings })).toEqual([
    'infrastructure.apply: command not found: ./deploy-purple',
    'infrastructure.destroy: not executable: ./remove',
    'infrastructure.outputs: command not found: show-nothing',
  ]);
});

test('searches a program in the PATH of the command’s environment', async () => {
  chmodSync(join(folder, 'remove'), 0o755);
  expect(await lacks(['remove'], { environment: { PATH: folder } })).toEqual([]);
  expect(await lacks(['remove'], { environment: { PATH: '/nowhere' } })).toEqual([
    'infrastructure.apply: command not found: remove',
    'infrastructure.destroy: command not found: remove',
  ]);
});

test('refuses a folder as a command, and a file as a working directory', async () => {
  expect(await lacks([folder])).toContain(`infrastructure.apply: command not found: ${folder}`);
  const workingDirectory = join(folder, 'nowhere');
  expect(await lacks(['true'], { settings: { workingDirectory } })).toEqual([
    `infrastructure.working_directory: ${workingDirectory} is not a directory`,
  ]);
});
