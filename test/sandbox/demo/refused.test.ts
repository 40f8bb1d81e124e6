import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { refuseUnwritable } from '../../../sandbox/demo/demo.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hosted-runner-test-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true });
});

test.each([
  ['--report', 'report.html'],
  ['--json', 'demo.json'],
] as const)(
  '%s in a missing folder is refused, and the fix names a usable file',
  async (option, usual) => {
    const path = join(folder, 'nope', 'x');
    await expect(refuseUnwritable(option, path)).rejects.toMatchObject({
      exitCode: 2,
      fields: {
        what: `${option} "${path}" cannot be written.`,
        why: [`${join(folder, 'nope')} is not a directory that this user can write to.`],
        fix: [`hosted-runner demo ${option} ${usual}`],
      },
    });
  },
);

test.each(['--report', '--json'] as const)(
  '%s with a folder as its file is refused',
  async (option) => {
    await expect(refuseUnwritable(option, folder)).rejects.toMatchObject({
      exitCode: 2,
      fields: {
        what: `${option} "${folder}" cannot be written.`,
        why: [`${folder} is a directory, not a file.`],
      },
    });
  },
);

test('the fix names another folder if the usual file is the refused one', async () => {
  const path = join(folder, 'nope', 'report.html');
  await expect(refuseUnwritable('--report', path, join(folder, 'nope'))).rejects.toMatchObject({
    fields: { fix: [`hosted-runner demo --report ${join(tmpdir(), 'report.html')}`] },
  });
});

test('a file in a writable folder is accepted', async () => {
  await expect(refuseUnwritable('--report', join(folder, 'report.html'))).resolves.toBeUndefined();
});
