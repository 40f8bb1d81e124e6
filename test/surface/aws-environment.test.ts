import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { refuseAwsEnvironment } from '../../src/app/aws-environment.ts';
import { DeployError } from '../../src/errors/deploy-error.ts';
import { runProgram } from '../support/program.ts';

interface World {
  files?: Readonly<Record<string, string>>;
  readFile?: (path: string) => Promise<string | undefined>;
  findRegion?: () => Promise<string | undefined>;
  regions?: readonly (string | undefined)[];
}

async function refusalOf(
  environment: Record<string, string>,
  { files = {}, readFile, findRegion, regions = [] }: World = {},
) {
  try {
    await refuseAwsEnvironment({
      environment: { HOME: '/home/me', ...environment },
      readFile: readFile ?? (async (path) => files[path]),
      findRegion: findRegion ?? (async () => 'eu-west-1'),
      regions,
    });
    return undefined;
  } catch (error) {
    if (error instanceof DeployError) return error.fields;
    throw error;
  }
}

describe('AWS_REGION', () => {
  const fixOf = async (environment: Record<string, string>) => {
    const fields = await refusalOf(environment);
    return fields && `${fields.what} ${fields.fix}`;
  };

  test.each([
    ['', 'AWS_REGION "" is not a region of AWS.', 'eu-west-1'],
    [' eu-central-1', 'AWS_REGION " eu-central-1" is not a region of AWS.', 'eu-central-1'],
    ['US-EAST-1', 'AWS_REGION "US-EAST-1" is not a region of AWS.', 'us-east-1'],
    ['us-east-1b', 'AWS_REGION "us-east-1b" is not a region of AWS.', 'us-east-1'],
    ['nonsense', 'AWS_REGION "nonsense" is not a region of AWS.', 'eu-west-1'],
    ['a/b', 'AWS_REGION "a/b" is not a region of AWS.', 'eu-west-1'],
  ])('causes an error for %j, which names the right region', async (given, what, meant) => {
    expect(await fixOf({ AWS_REGION: given })).toBe(
      `${what} Set the region of the stack: export AWS_REGION=${meant}`,
    );
  });

  test('causes a fix with the region of other tools if it is empty', async () => {
    expect(await fixOf({ AWS_REGION: '', AWS_DEFAULT_REGION: 'us-west-2' })).toMatch(/=us-west-2$/);
  });

  test.each(['eu-west-1', 'us-gov-west-1', 'eusc-de-east-1', 'us-isob-east-1'])(
    'accepts %s',
    async (region) => {
      expect(await fixOf({ AWS_REGION: region })).toBeUndefined();
    },
  );

  test('may be absent if a profile sets the region', async () => {
    expect(await fixOf({ AWS_DEFAULT_REGION: 'nonsense' })).toBeUndefined();
  });
});

const nowhere = { findRegion: async () => undefined };

describe('the error for a missing region', () => {
  test('names the variable to set', async () => {
    const fields = await refusalOf({}, nowhere);
    expect(fields).toMatchObject({
      code: 'BadUsage',
      what: 'No AWS region is set.',
      why: [
        'A stack uses one region. Neither AWS_REGION, nor the profile "default" of the AWS configuration, nor the metadata of an instance names it.',
      ],
      now: 'Nothing was touched.',
      fix: ['Set the region of the stack: export AWS_REGION=eu-west-1'],
    });
  });

  test('names the profile without a region', async () => {
    const files = { '/home/me/.aws/config': '[profile runners]\noutput = json\n' };
    const fields = await refusalOf({ AWS_PROFILE: 'runners' }, { ...nowhere, files });
    expect(fields?.why?.[0]).toContain('nor the profile "runners" of the AWS configuration');
  });

  test('names the region that other tools would use', async () => {
    const fields = await refusalOf({ AWS_DEFAULT_REGION: 'us-west-2' }, nowhere);
    expect(fields?.why?.[0]).toMatch(/AWS_DEFAULT_REGION is not used\.$/);
    expect(fields?.fix).toEqual(['Set the region of the stack: export AWS_REGION=us-west-2']);
  });

  test('names the common region of the configured stacks', async () => {
    const fields = await refusalOf({}, { ...nowhere, regions: ['eu-north-1', undefined] });
    expect(fields?.fix).toEqual(['Set the region of the stack: export AWS_REGION=eu-north-1']);
  });

  test('names no region if the stacks have several', async () => {
    const fields = await refusalOf({}, { ...nowhere, regions: ['eu-north-1', 'us-east-1'] });
    expect(fields?.fix).toEqual(['Set the region of the stack: export AWS_REGION=eu-west-1']);
  });
});

test.each([['nonsense'], ['a/b'], ['eu-west-1b']])(
  'the region %s of a profile is refused as in the variable',
  async (region) => {
    const findRegion = async () => region;
    const fields = await refusalOf({}, { findRegion, regions: ['eu-north-1'] });
    expect(fields?.what).toBe(
      `The region "${region}" of the profile "default" of the AWS configuration is not a region of AWS.`,
    );
    expect(fields?.fix).toEqual(['Set the region of the stack: export AWS_REGION=eu-north-1']);
  },
);

describe('the error for a missing profile', () => {
  const files = {
    '/home/me/.aws/config': '[profile runners]\nregion = eu-west-1\n[profile "a b"]\n',
    '/home/me/.aws/credentials': '[keys]\naws_access_key_id = x\n',
  };

  test('names the searched files, and the probable name', async () => {
    const fields = await refusalOf({ AWS_REGION: 'eu-west-1', AWS_PROFILE: 'runner' }, { files });
    expect(fields).toMatchObject({
      code: 'BadUsage',
      what: 'AWS_PROFILE "runner" is not a profile on this machine.',
      why: [
        'Searched in /home/me/.aws/config, which has runners, a b, and in /home/me/.aws/credentials, which has keys.',
      ],
      now: 'Nothing was touched.',
      fix: ['Did you mean: export AWS_PROFILE=runners', 'Without a profile: unset AWS_PROFILE'],
    });
  });

  test('reports that the files are missing', async () => {
    const fields = await refusalOf({ AWS_REGION: 'eu-west-1', AWS_PROFILE: 'x' });
    expect(fields?.why).toEqual([
      'Searched in /home/me/.aws/config, which does not exist, and in /home/me/.aws/credentials, which does not exist.',
    ]);
    expect(fields?.fix).toEqual([
      'Create it: aws configure --profile x',
      'Without a profile: unset AWS_PROFILE',
    ]);
  });

  test('follows the variables that name the files', async () => {
    const fields = await refusalOf({
      AWS_REGION: 'eu-west-1',
      AWS_PROFILE: 'x',
      AWS_CONFIG_FILE: '~/aws.ini',
      AWS_SHARED_CREDENTIALS_FILE: '/keys',
    });
    expect(fields?.why?.[0]).toMatch(/in \/home\/me\/aws\.ini, .* in \/keys, /);
  });

  test.each(['runners', 'keys', 'a b', 'default', ''])('appears for %j as well', async (name) => {
    const environment = { AWS_REGION: 'eu-west-1', AWS_PROFILE: name };
    expect(await refusalOf(environment, { files })).toBeUndefined();
  });

  test('does not appear if a role is assumed without the profile', async () => {
    const HOSTED_RUNNER_AWS_ROLE = 'arn:aws:iam::123456789012:role/runners';
    const environment = { AWS_REGION: 'eu-west-1', AWS_PROFILE: 'x', HOSTED_RUNNER_AWS_ROLE };
    expect(await refusalOf(environment)).toBeUndefined();
  });

  test('does not appear for a file that only the AWS SDK can read, after one line', async () => {
    const readFile = async () => {
      throw Object.assign(new Error(), { code: 'not a regular file' });
    };
    const environment = { AWS_REGION: 'eu-west-1', AWS_PROFILE: 'x' };
    expect(await refusalOf(environment, { readFile })).toBeUndefined();
  });

  test('names a file that may not be read', async () => {
    const readFile = async () => {
      throw Object.assign(new Error(), { code: 'EACCES' });
    };
    const fields = await refusalOf({ AWS_REGION: 'eu-west-1', AWS_PROFILE: 'x' }, { readFile });
    expect(fields?.why?.[0]).toContain('/home/me/.aws/config, which cannot be read (EACCES), and');
  });
});

describe('a program without a usable region', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'aws-environment-'));
    writeFileSync(
      join(folder, 'hosted-runners.yml'),
      `version: 1
defaults:
  gitlab: { url: https://gitlab.example.com }
  registration: { scope: group, group_id: 10, tags: [linux] }
  infrastructure: { driver: command, apply: [./apply, '{shard}'], destroy: [./destroy, '{shard}'] }
stacks: { linux: {} }
`,
    );
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test.each([
    ['status', {}, 'No AWS region is set.'],
    ['deploy --runner linux', {}, 'No AWS region is set.'],
    ['status', { AWS_PROFILE: 'gone' }, 'AWS_PROFILE "gone" is not a profile on this machine.'],
  ])('fails before any request: %s with %j', async (line, more, message) => {
    const usual = { AWS_REGION: undefined, AWS_EC2_METADATA_DISABLED: 'true', HOME: folder };
    const env = { ...usual, ...more };
    const { exitCode, stderr } = await runProgram({ args: line.split(' '), env, cwd: folder });
    expect(stderr).toContain(message);
    expect(exitCode).toBe(2);
  });

  test('uses the region of a profile', async () => {
    const home = join(folder, 'home');
    mkdirSync(join(home, '.aws'), { recursive: true });
    writeFileSync(join(home, '.aws/config'), '[profile runners]\nregion = eu-west-1\n');
    const env = { AWS_REGION: undefined, AWS_PROFILE: 'runners', HOME: home };
    const { stderr } = await runProgram({ args: ['status'], env, cwd: folder });
    expect(stderr).toContain('The environment has no GitLab token');
  });
});
