import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { refuseUnsafe } from '../../src/app/environment-check.ts';
import { DeployError } from '../../src/errors/deploy-error.ts';
import { runProgram } from '../support/program.ts';

function problemsOf(environment: Record<string, string>): readonly string[] {
  try {
    refuseUnsafe(environment);
    return [];
  } catch (error) {
    if (error instanceof DeployError) return error.fields.why ?? [];
    throw error;
  }
}

describe('an unsafe environment', () => {
  test.each([
    [
      'NODE_TLS_REJECT_UNAUTHORIZED',
      '0',
      'NODE_TLS_REJECT_UNAUTHORIZED is 0: certificates would not be checked, and an attacker on the network could steal the tokens.',
    ],
    ...['', '_SSM', '_STS', '_AUTO_SCALING', '_OF_TOMORROW'].map((service) => [
      `AWS_ENDPOINT_URL${service}`,
      'http://aws.example:4566',
      `AWS_ENDPOINT_URL${service}: the URL of aws.example:4566 is not https; http is allowed for loopback addresses only.`,
    ]),
    [
      'AWS_ENDPOINT_URL',
      'http://127.0.0.1.evil.example',
      'AWS_ENDPOINT_URL: the URL of 127.0.0.1.evil.example is not https; http is allowed for loopback addresses only.',
    ],
    [
      'AWS_ENDPOINT_URL',
      'https://key:secret@aws.example',
      'AWS_ENDPOINT_URL: the URL contains a user name or password; credentials come from the environment only.',
    ],
    ['AWS_ENDPOINT_URL', 'aws', 'AWS_ENDPOINT_URL is not a URL.'],
  ])('causes an error: %s=%s', (name, value, problem) => {
    expect(problemsOf({ [name]: value })).toEqual([problem]);
  });
});

describe('a safe environment', () => {
  test.each([
    ['AWS_ENDPOINT_URL', 'https://vpce-1.ssm.eu-central-1.vpce.amazonaws.com'],
    ['AWS_ENDPOINT_URL_SSM', 'http://127.0.0.1:4566'],
    ['AWS_ENDPOINT_URL_SSM', 'http://localhost:4566'],
    ['AWS_ENDPOINT_URL_SSM', 'http://[::1]:4566'],
    ['AWS_ENDPOINT_URL_SSM', ''],
    ['NODE_TLS_REJECT_UNAUTHORIZED', '1'],
  ])('causes no error: %s=%s', (name, value) => {
    expect(problemsOf({ [name]: value })).toEqual([]);
  });
});

describe('the program without certificate checks', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'unsafe-'));
    writeFileSync(join(folder, 'hosted-runners.yml'), '');
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('sends no request', async () => {
    const { exitCode, stderr } = await runProgram({
      args: ['status', '--runner', 'linux'],
      env: { NODE_TLS_REJECT_UNAUTHORIZED: '0', HOSTED_RUNNER_GITLAB_TOKEN: 'glpat-not-real' },
      cwd: folder,
    });
    expect(exitCode).toBe(2);
    expect(stderr).toContain('✖ status: Environment variables make connections unsafe.');
    expect(stderr).toContain('ref  UnsafeEnvironment');
  });
});
