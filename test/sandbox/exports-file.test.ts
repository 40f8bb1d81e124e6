import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { openExportsFile } from '../../sandbox/exports-file.ts';
import { exportsIn, openTerminal, type Terminal, typeAll } from '../surface/printed/terminal.ts';

let terminal: Terminal;
let file: string;
beforeEach(() => {
  terminal = openTerminal();
  file = join(terminal.folder, 'sandbox.env');
});
afterEach(() => terminal.close());

const modeOf = (path: string) => statSync(path).mode & 0o777;

describe('hosted-runner sandbox --env', () => {
  test('writes its output in shell syntax, and removes the file when it stops', async () => {
    writeFileSync(file, 'of an earlier sandbox\n');
    chmodSync(file, 0o644);
    const sandbox = await terminal.startServer('hosted-runner sandbox --env sandbox.env');
    expect(modeOf(file)).toBe(0o600);
    expect(exportsIn(readFileSync(file, 'utf8'))).toEqual(exportsIn(sandbox.text()));
    expect(sandbox.text()).toContain(`instead of pasting these lines: . ${file}\n`);
    const { how, text } = await terminal.type(
      '. ./sandbox.env && hosted-runner sandbox apply --runner linux --shard pink',
    );
    expect([how, text]).toEqual(['0', expect.stringContaining('"outcome":"done"')]);
    expect(await sandbox.stop()).toBe(0);
    expect(readdirSync(terminal.folder).filter((name) => name.includes('.env'))).toEqual([]);
  });

  test.each<[string, string, string, () => void]>([
    ['a missing folder', 'nope/sandbox.env', 'ENOENT', () => {}],
    ['a directory', 'sandbox.env', 'It is a directory.', () => mkdirSync(file)],
    [
      'a symbolic link',
      'sandbox.env',
      'It is a symbolic link.',
      () => symlinkSync(join(terminal.folder, 'elsewhere'), file),
    ],
    ['a device', '/dev/null', 'It is not a regular file.', () => {}],
  ])('refuses %s before anything starts', async (_, path, why, prepare) => {
    prepare();
    const error = await terminal.type(`hosted-runner sandbox --env ${path}`);
    expect(error.how).toBe('2 BadUsage');
    expect(error.text).toContain(`The exports cannot be written to --env "${path}".`);
    expect(error.text).toContain(why);
    expect(existsSync(join(terminal.folder, '.hosted-runner'))).toBe(false);
    expect(existsSync(join(terminal.folder, 'elsewhere'))).toBe(false);
    const fill = (line: string) => line.replace('FILE', 'mine.env');
    expect(await typeAll(terminal, error, { fill })).toEqual({
      'hosted-runner sandbox --env FILE': 'serves, 0',
    });
  });

  test('keeps the file of an earlier sandbox if the sandbox does not start', async () => {
    writeFileSync(file, 'of an earlier sandbox\n');
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.on('listening', resolve));
    const { port } = server.address() as { port: number };
    const { how } = await terminal.type(`hosted-runner sandbox --env sandbox.env --port ${port}`);
    await new Promise((resolve) => server.close(resolve));
    expect([how, readFileSync(file, 'utf8')]).toEqual([
      '2 SandboxPortTaken',
      'of an earlier sandbox\n',
    ]);
  });
});

test('a link that appears after the check is replaced, not followed', () => {
  const target = join(terminal.folder, 'target');
  writeFileSync(target, 'of another user');
  const opened = openExportsFile(file);
  symlinkSync(target, file);
  opened.write('export A=1\n');
  expect([readFileSync(target, 'utf8'), readFileSync(file, 'utf8'), modeOf(file)]).toEqual([
    'of another user',
    'export A=1\n',
    0o600,
  ]);
});

test('a file that another sandbox has written since is not removed', () => {
  const opened = openExportsFile(file);
  opened.write('export A=1\n');
  writeFileSync(file, 'export A=2\n');
  opened.remove();
  expect(readFileSync(file, 'utf8')).toBe('export A=2\n');
  rmSync(file);
  opened.remove();
});
