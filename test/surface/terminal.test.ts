import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { bundledProgram, root } from '../support/program.ts';

/** GitLab that accepts every request and never responds. */
const unresponsive = createServer(() => unresponsive.emit('asked'));
let url: string;
beforeAll(async () => {
  unresponsive.listen(0, '127.0.0.1');
  await once(unresponsive, 'listening');
  url = `http://127.0.0.1:${(unresponsive.address() as AddressInfo).port}`;
});
afterAll(() => {
  unresponsive.closeAllConnections();
  unresponsive.close();
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
  test('cancels a stage when the terminal closes', async () => {
    const requested = once(unresponsive, 'asked');
    const { child, ended } = start(['shutdown', '--runner', 'linux', ...example]);
    await requested;
    child.kill('SIGHUP');
    const { stderr, ...end } = await ended;
    expect({ ...end, stderr }).toMatchObject({
      exitCode: 130,
      signal: null,
      stderr: expect.stringContaining('✖ shutdown: shutdown was cancelled.'),
    });
  });

  // A program that reads the four parts of an error finds them here too.
  test.each(['deploy', 'shutdown'])(
    'reports unchanged shards if %s is cancelled before the first response',
    async (stage) => {
      const requested = once(unresponsive, 'asked');
      const { child, ended } = start([stage, '--runner', 'linux', ...example]);
      await requested;
      child.kill('SIGINT');
      const { exitCode, stderr } = await ended;
      expect(exitCode).toBe(130);
      expect(stderr.replace(/^ {2}ref .*\n/m, '')).toBe(
        [
          `✖ ${stage}: ${stage} was cancelled.`,
          '  why  No new change was started after the signal.',
          '  now  Neither shard was changed. hosted-runner could not check in time which shard accepts jobs.',
          `  fix  Resume where it stopped: hosted-runner ${stage} --runner linux --config examples/hosted-runners.yml`,
          '',
        ].join('\n'),
      );
    },
  );

  test.each([
    ['status', 'status linux'],
    ['doctor', 'doctor'],
  ])('reports that no runner was touched if %s is cancelled', async (command, named) => {
    const requested = once(unresponsive, 'asked');
    const { child, ended } = start([command, '--runner', 'linux', ...example]);
    await requested;
    child.kill('SIGINT');
    const { exitCode, stderr } = await ended;
    expect(exitCode).toBe(130);
    expect(stderr.replace(/^ {2}ref .*\n/m, '')).toBe(
      [
        `✖ ${named}: ${command} was cancelled.`,
        '  why  No new change was started after the signal.',
        '  now  This command has touched no runner: the shard that accepted jobs before still accepts them.',
        `  fix  Resume where it stopped: hosted-runner ${command} --runner linux --config examples/hosted-runners.yml`,
        '',
      ].join('\n'),
    );
  });

  test.each([[['validate', ...example]], [['help', 'provision']], [['--help']]])(
    'reports a full disk without a stack trace: %j',
    async (args) => {
      const { ended } = start(args, { stdout: openSync('/dev/full', 'w') });
      const { stderr, ...end } = await ended;
      expect(end).toEqual({ exitCode: 1, signal: null });
      expect(stderr).toContain('ENOSPC');
      expect(stderr).not.toMatch(/\n\s+at /);
    },
  );
});
