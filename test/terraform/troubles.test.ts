import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { initialisedWorkplace } from '../../src/adapters/terraform/workplace.ts';
import type { DeployError } from '../../src/errors/deploy-error.ts';
import { isPortFailure } from '../../src/ports/failure.ts';
import { stackShard } from '../contract/runner-host.contract.ts';
import { errorOfApply, options, said } from './failed-apply.ts';
import { usual } from './workshop.ts';

function errorOf(summary: string, detail = '', touched = true): Error {
  return errorOfApply([{ summary, detail }], { touched });
}

/** As Terraform 1.11, its S3 backend and the AWS provider 5.100 word them. */
describe('what Terraform says', () => {
  test.each(said)('is %s: %s', (code, summary, detail) => {
    const error = errorOf(summary, detail) as DeployError;
    expect(error.code).toBe(code);
    expect(error.fields.why?.[0]).toContain(summary.slice(0, 60));
    expect(error.fields.why?.at(-1)).toBe(
      'purple may be half done; the next run plans again from what is there.',
    );
  });

  test.each([
    'Error refreshing state: operation error S3: HeadObject, https response error StatusCode: 403, api error RequestTimeTooSkewed: The difference between the request time and the current time is too large.',
    'reading EC2 Instance (i-0abc): operation error EC2: DescribeInstances, api error RequestExpired: Request has expired.',
    'failed to refresh cached credentials, operation error STS: AssumeRole, https response error StatusCode: 403, api error SignatureDoesNotMatch: Signature expired: 20261128T101010Z is now earlier than 20261128T102010Z',
  ])('of a wrong clock names the clock: %s', (summary) => {
    const { code, fields } = errorOf(summary) as DeployError;
    expect(code).toBe('TerraformCredentials');
    expect(fields.what).toContain('with a time that AWS does not accept');
    expect(fields.fix?.[0]).toMatch(/^Correct the clock of the machine/);
  });

  test('and nobody knows is passed on in its own words, without a secret', () => {
    const error = errorOf('a surprise', 'with hunter2 in it');
    if (!isPortFailure(error)) throw error;
    expect({ ...error, message: error.message }).toMatchObject({
      kind: 'refused',
      effect: 'unknown',
      detail: 'a surprise: with [redacted] in it',
    });
  });

  test('of a plan has touched nothing', () => {
    const error = errorOf('No valid credential sources found', '', false) as DeployError;
    expect(error.fields.why).toEqual(['"No valid credential sources found"']);
  });
});

test.each(['.terraform/hosted-runner', '.terraform/hosted-runner/linux-purple'])(
  'refuses a folder of the shard that is a symbolic link: %s',
  async (name) => {
    const directory = mkdtempSync(join(tmpdir(), 'linked-'));
    const elsewhere = mkdtempSync(join(tmpdir(), 'elsewhere-'));
    mkdirSync(join(directory, name, '..'), { recursive: true });
    symlinkSync(elsewhere, join(directory, name));
    const settings = { ...usual, directory };
    await expect(
      initialisedWorkplace({ ...options, settings }, stackShard('purple', 'linux')),
    ).rejects.toMatchObject({
      kind: 'refused',
      effect: 'none',
      detail: `${name} is a symbolic link; remove it`,
    });
    expect(readdirSync(elsewhere)).toEqual([]);
    for (const folder of [directory, elsewhere]) rmSync(folder, { recursive: true, force: true });
  },
);
