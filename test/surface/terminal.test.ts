import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { bundledProgram, root } from '../support/program.ts';

/** A GitLab that takes every question and answers none. */
const silent = createServer(() => silent.emit('asked'));
let url: string;
beforeAll(async () => {
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
});
afterAll(() => {
  silent.closeAllConnections();
  silent.close();
});

function start(args: readonly string[], { stdout = 'pipe' }: { stdout?: 'pipe' | number } = {}) {
  const child = spawn(process.execPath, [bundledProgram, ...args], {
    cwd: root,
    stdio: ['ignore', stdout, 'pipe'],
    env: {
      PATH: process.env['PATH'],
      HOSTED_RUNNER_GITLAB_URL: url,
      HOSTED_RUNNER_GITLAB_TOKEN: 'glpat-not-a-real-token',
      AWS_REGION: 'eu-west-1',
      AWS_ACCESS_KEY_ID: 'AKIAEXAMPLE',
      AWS_SECRET_ACCESS_KEY: 'not-a-real-secret',
      AWS_ENDPOINT_URL_SSM: url,
      AWS_ENDPOINT_URL_STS: url,
    },
  });
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (chunk) => {
    stderr += chunk;
  });
  const ended = once(child, 'close').then(([exitCode, signal]) => ({ exitCode, signal, stderr }));
  return { child, ended };
}

const example = ['--config', 'examples/hosted-runners.yml'];

describe('the program at a terminal', () => {
  test('that is closed cancels a stage', async () => {
    const asked = once(silent, 'asked');
    const { child, ended } = start(['shutdown', '--runner', 'linux', ...example]);
    await asked;
    child.kill('SIGHUP');
    const { stderr, ...end } = await ended;
    expect({ ...end, stderr }).toMatchObject({
      exitCode: 130,
      signal: null,
      stderr: expect.stringContaining('✖ shutdown: shutdown was cancelled.'),
    });
  });

  // Whoever has the four parts of an error read by a program finds them here, too.
  test.each(['deploy', 'shutdown'])(
    'that cancels %s before anybody has answered is told that neither shard was changed',
    async (stage) => {
      const asked = once(silent, 'asked');
      const { child, ended } = start([stage, '--runner', 'linux', ...example]);
      await asked;
      child.kill('SIGINT');
      const { exitCode, stderr } = await ended;
      expect(exitCode).toBe(130);
      expect(stderr.replace(/^ {2}ref .*\n/m, '')).toBe(
        [
          `✖ ${stage}: ${stage} was cancelled.`,
          '  why  No new effect was begun after the signal.',
          '  now  Neither shard was changed; which one serves could not be found out in time.',
          `  fix  Go on where it stopped: hosted-runner ${stage} --runner linux --config examples/hosted-runners.yml`,
          '',
        ].join('\n'),
      );
    },
  );

  test.each([
    ['status', 'status linux'],
    ['doctor', 'doctor'],
  ])('that cancels %s is told that no runner was touched', async (command, named) => {
    const asked = once(silent, 'asked');
    const { child, ended } = start([command, '--runner', 'linux', ...example]);
    await asked;
    child.kill('SIGINT');
    const { exitCode, stderr } = await ended;
    expect(exitCode).toBe(130);
    expect(stderr.replace(/^ {2}ref .*\n/m, '')).toBe(
      [
        `✖ ${named}: ${command} was cancelled.`,
        '  why  No new effect was begun after the signal.',
        '  now  This command has touched no runner: whichever shard served before serves on.',
        `  fix  Go on where it stopped: hosted-runner ${command} --runner linux --config examples/hosted-runners.yml`,
        '',
      ].join('\n'),
    );
  });

  test.each([[['validate', ...example]], [['help', 'provision']], [['--help']]])(
    '%j onto a full disk ends in an error that says so, not in a stack trace',
    async (args) => {
      const { ended } = start(args, { stdout: openSync('/dev/full', 'w') });
      const { stderr, ...end } = await ended;
      expect(end).toEqual({ exitCode: 1, signal: null });
      expect(stderr).toContain('ENOSPC');
      expect(stderr).not.toMatch(/\n\s+at /);
    },
  );
});
