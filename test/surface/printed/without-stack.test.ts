import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { exportsIn, openTerminal, type Terminal, typeAll } from './terminal.ts';

let terminal: Terminal;
beforeEach(() => {
  terminal = openTerminal();
});
afterEach(() => terminal.close());

const configuration = `version: 1
defaults:
  gitlab: { url: 'https://gitlab.example.com' }
  registration: { scope: group, group_id: 10, tags: [linux] }
  canary: { kind: off }
  infrastructure: { driver: command, apply: ['true', '{shard}'], destroy: ['true', '{shard}'] }
stacks:
  linux: {}
`;
const write = (text: string) => writeFileSync(join(terminal.folder, 'hosted-runners.yml'), text);

describe('the commands printed before there is a stack', () => {
  test('run as printed for ConfigurationMissing', async () => {
    const error = await terminal.type('hosted-runner validate');
    expect(error.how).toBe('2 ConfigurationMissing');
    expect(await typeAll(terminal, error)).toEqual({ 'hosted-runner init': '0' });
    expect(readFileSync(join(terminal.folder, 'hosted-runners.yml'), 'utf8')).toContain('FILL_IN');
  });

  test('run as printed for InvalidConfiguration', async () => {
    write(configuration.replace('[linux]', 'linux'));
    const error = await terminal.type('hosted-runner validate');
    expect(error.how).toBe('2 InvalidConfiguration');
    const before = () => write(configuration);
    expect(await typeAll(terminal, error, { before })).toEqual({ 'hosted-runner validate': '0' });
  });

  test('run as printed for InvalidConfiguration of a file with another name', async () => {
    writeFileSync(join(terminal.folder, 'other.yml'), 'version: 2\n');
    const error = await terminal.type('hosted-runner validate --config other.yml');
    const before = () => writeFileSync(join(terminal.folder, 'other.yml'), configuration);
    expect(await typeAll(terminal, error, { before })).toEqual({
      'hosted-runner validate --config other.yml': '0',
    });
  });

  test('run as printed for FileExists', async () => {
    write(configuration);
    const error = await terminal.type('hosted-runner init');
    expect(error.how).toBe('2 FileExists');
    expect(await typeAll(terminal, error)).toEqual({
      'hosted-runner validate': '0',
      'hosted-runner init --stack arm': '0',
      'hosted-runner init --force': '0',
    });
  });

  test('run as printed for SandboxRunsAlready', async () => {
    const first = await terminal.startServer('hosted-runner sandbox --folder world');
    const error = await terminal.type('hosted-runner sandbox --folder world');
    expect(error.how).toBe('2 SandboxRunsAlready');
    const fill = (line: string) => line.replace('FOLDER', 'beside');
    expect(await typeAll(terminal, error, { fill })).toEqual({
      'hosted-runner sandbox --folder FOLDER': 'serves, 0',
    });
    // The first sandbox is undisturbed, and its printed variables work.
    expect((await terminal.type('hosted-runner status', exportsIn(first.text()))).how).toBe('0');
    expect(await first.stop()).toBe(0);
  });

  test.each([
    ['a file in its place', 'taken', 'EEXIST'],
    ['a file above it', 'taken/world', 'ENOTDIR'],
  ])('run as printed for BadUsage of a sandbox folder: %s', async (_name, path, code) => {
    writeFileSync(join(terminal.folder, 'taken'), '');
    const error = await terminal.type(`hosted-runner sandbox --folder ${path}`);
    expect(error.how).toBe('2 BadUsage');
    expect(error.text).toContain(`cannot hold the state of the sandbox (${code}).`);
    const fill = (line: string) => line.replace('FOLDER', 'beside');
    expect(await typeAll(terminal, error, { fill })).toEqual({
      'hosted-runner sandbox --folder FOLDER': 'serves, 0',
    });
  });

  test('run as printed for SandboxPortTaken', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.on('listening', resolve));
    const { port } = server.address() as { port: number };
    const error = await terminal.type(`hosted-runner sandbox --port ${port}`);
    expect(error.how).toBe('2 SandboxPortTaken');
    expect(await typeAll(terminal, error)).toEqual({
      'hosted-runner sandbox --port 0': 'serves, 0',
    });
    await new Promise((resolve) => server.close(resolve));
  });

  test.each([
    ['SandboxUnknown', 2, {}],
    ['SandboxUnreachable', 1, { HOSTED_RUNNER_SANDBOX_URL: 'http://127.0.0.1:9' }],
  ] as const)(
    'run as printed for %s',
    async (code, exitCode, environment: Record<string, string>) => {
      const apply = 'hosted-runner sandbox apply --runner linux --shard pink';
      const error = await terminal.type(apply, environment);
      expect([error.how, error.fix]).toEqual([
        `${exitCode} ${code}`,
        [
          expect.stringMatching(
            /^Start (it again|one) and export the variables that it prints: hosted-runner sandbox$/,
          ),
        ],
      ]);
      const sandbox = await terminal.startServer('hosted-runner sandbox');
      expect((await terminal.type(apply, exportsIn(sandbox.text()))).how).toBe('0');
      const strange = await terminal.type(
        'hosted-runner sandbox signal --webhook --says 99',
        exportsIn(sandbox.text()),
      );
      expect(strange.how).toBe('2 BadUsage');
      expect(await typeAll(terminal, strange)).toEqual({
        'hosted-runner sandbox signal --help': '0',
      });
      expect(await sandbox.stop()).toBe(0);
    },
  );

  test('run as printed for RunnerBinaryUnusable', async () => {
    const error = await terminal.type('hosted-runner sandbox --runner-binary /bin/true');
    expect(error.how).toBe('2 RunnerBinaryUnusable');
    // Stands in for an operator's gitlab-runner at that place. It only reports its version, and no
    // shard is built.
    const binary = join(terminal.folder, 'bin/gitlab-runner');
    writeFileSync(binary, '#!/bin/sh\necho "Version:      17.11.0"\n');
    chmodSync(binary, 0o755);
    const fill = (line: string) => line.replace('/usr/bin/gitlab-runner', binary);
    expect(await typeAll(terminal, error, { fill })).toEqual({
      'hosted-runner sandbox --runner-binary /usr/bin/gitlab-runner': 'serves, 0',
    });
  });
});
