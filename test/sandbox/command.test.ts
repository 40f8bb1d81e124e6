import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import type * as ExportsFiles from '../../sandbox/exports-file.ts';

/** Replacement for a read-only file system, which a test cannot create. */
let remove: (() => void) | undefined;
const exportsFile = '../../sandbox/exports-file.ts';
const { openExportsFile } = (await import(exportsFile)) as typeof ExportsFiles;
jest.unstable_mockModule(exportsFile, () => ({
  openExportsFile(given: string) {
    const opened = openExportsFile(given);
    return { ...opened, remove: remove ?? opened.remove };
  },
}));
const { runSandbox } = await import('../../sandbox/command.ts');

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
  file = join(folder, 'sandbox.env');
});
afterEach(() => {
  remove = undefined;
  rmSync(folder, { recursive: true, force: true });
});

/** Runs the sandbox command until its end, and calls `onLine` for each printed line. */
async function runCommand(onLine: (line: string) => void = () => {}) {
  const stop = new AbortController();
  let url = '';
  const error = await runSandbox({
    folder: join(folder, 'state'),
    program: ['true'],
    searchPath: '',
    env: file,
    signal: stop.signal,
    stdout: {
      write(line: string) {
        url = /^# GitLab \S+ (\S+)/.exec(line)?.[1] ?? url;
        onLine(line);
        if (line.startsWith('# Running')) stop.abort();
      },
    },
  }).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  const isStopped = await fetch(url).then(
    () => false,
    () => true,
  );
  return { error, isStopped };
}

test('stops the sandbox and throws the reason if its exports cannot be removed', async () => {
  const reason = new Error('EROFS: read-only file system');
  remove = () => {
    throw reason;
  };
  const { error, isStopped } = await runCommand();
  expect(error).toBe(reason);
  expect(isStopped).toBe(true);
});

test('refuses a file that cannot be replaced any more, and leaves no draft with the token', async () => {
  const { error, isStopped } = await runCommand((line) => {
    if (line.startsWith('# GitLab')) mkdirSync(file);
  });
  expect(error).toMatchObject({
    fields: { exitCode: 2, what: `The exports cannot be written to --env "${file}".` },
  });
  expect(isStopped).toBe(true);
  expect(readdirSync(folder).sort()).toEqual(['sandbox.env', 'state']);
});
