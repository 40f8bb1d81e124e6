import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { expand, renderTemplate } from './configuration.ts';

const inputs = { runner_name: 'linux', runner_tags: ['operations'] };
const job = expand(renderTemplate('deploy', { inputs }))['hosted_runner_prepare'];
const before = [job?.['before_script']].flat().join('\n');

/** Returns the variables of the commands after `before_script`. */
function run(env: Record<string, string>): Record<string, string> {
  const seen = `node -p '
    const { env } = process;
    const file = env["AWS_WEB_IDENTITY_TOKEN_FILE"];
    const { mode } = file ? fs.statSync(file) : {};
    JSON.stringify({ role: env["AWS_ROLE_ARN"], session: env["AWS_ROLE_SESSION_NAME"], file,
      region: env["AWS_REGION"], token: file && fs.readFileSync(file, "utf8"), mode: mode && mode & 0o777 })'`;
  const text = execFileSync('sh', ['-euc', `${before}\n${seen}`], {
    env: { PATH: process.env['PATH'], CI_PROJECT_ID: '101', CI_JOB_ID: '900', ...env },
    encoding: 'utf8',
  });
  return JSON.parse(text);
}

describe('the AWS credentials of a template', () => {
  test('come from the ID token in a private file that ends with the job, with a role', () => {
    const found = run({
      OIDC_ROLE_ARN: 'arn:role',
      OIDC_REGION: 'eu-west-1',
      OIDC_ID_TOKEN: 'a.b.c',
    });
    expect(found).toEqual({
      role: 'arn:role',
      session: 'hosted-runner-101-900',
      file: expect.any(String),
      region: 'eu-west-1',
      token: 'a.b.c',
      mode: 0o600,
    });
    expect(existsSync(found['file'] ?? '')).toBe(false);
  });

  test('stay those of the runner without a role', () => {
    expect(run({ AWS_REGION: 'eu-west-1', OIDC_ROLE_ARN: '', OIDC_REGION: '' })).toEqual({
      region: 'eu-west-1',
    });
  });
});
