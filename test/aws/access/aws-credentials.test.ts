import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  audienceOf,
  type CredentialOptions,
  createAwsCredentials,
} from '../../../src/adapters/aws/aws-credentials.ts';
import type { PortFailure } from '../../../src/ports/failure.ts';
import { openSandbox } from '../../sandbox/hosts/running-sandbox.ts';
import { failureOf } from '../../support/failure-of.ts';
import { askingAt, openCloud } from '../cloud.ts';

const minuteMs = 60_000;
test.each([
  ['arn:aws:iam::111122223333:role/deploy', 'sts.amazonaws.com'],
  ['arn:aws-us-gov:iam::111122223333:role/deploy', 'sts.amazonaws.com'],
  ['arn:aws-cn:iam::111122223333:role/deploy', 'sts.amazonaws.com.cn'],
])('the audience of %s is %s', (arn, audience) => {
  expect(audienceOf(arn)).toBe(audience);
});

/** The sandbox's STS gives them out, and its clock ends them. */
describe('credentials at an STS', () => {
  let world: Awaited<ReturnType<typeof openSandbox>>;
  let folder: string;
  const secrets: string[] = [];
  beforeAll(async () => {
    world = await openSandbox();
    folder = mkdtempSync(join(tmpdir(), 'web-identity-'));
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    await world.close();
  });

  const tokenFor = (minutes: number) => {
    const exp = Math.floor(world.sandbox.clock.now() / 1000) + minutes * 60;
    return `x.${Buffer.from(JSON.stringify({ sub: 'job', exp })).toString('base64url')}.x`;
  };
  function open(
    environment: Record<string, string>,
    readIdToken: CredentialOptions['readIdToken'],
  ) {
    const asking = askingAt(world.sandbox.ssmUrl);
    const clock = { ...asking.clock, now: () => world.sandbox.clock.now() };
    const credentials = createAwsCredentials({
      ...asking,
      clock,
      environment,
      configuration: { endpoint: world.sandbox.ssmUrl, region: 'eu-west-1' },
      readIdToken,
      keepSecret: (secret) => secrets.push(secret),
    });
    const own = { endpoint: world.sandbox.ssmUrl, region: 'eu-west-1' };
    const cloud = openCloud({ ...asking, clock, credentials, configuration: own });
    return { credentials, ...cloud };
  }
  const asked = (ssm: ReturnType<typeof open>['ssm']) =>
    ssm.ask({
      what: 'DescribeParameters',
      effect: 'read',
      call: (client) => client.describeParameters({}),
    });

  test('are GitHub’s for six hours: each time with a new token for AWS, and no secret unknown', async () => {
    const audiences: string[] = [];
    const { account, ssm, credentials } = open(
      { HOSTED_RUNNER_AWS_ROLE: 'arn:aws:iam::123456789012:role/deploy', GITHUB_RUN_ID: '77' },
      async (audience) => {
        audiences.push(audience);
        return tokenFor(5);
      },
    );
    expect((await account.readIdentity()).arn).toBe(
      'arn:aws:sts::123456789012:assumed-role/deploy/hosted-runner-77',
    );
    for (let passed = 0; passed < 6 * 60; passed += 20) {
      world.sandbox.clock.advance(20 * minuteMs);
      await asked(ssm);
    }
    expect(audiences).toEqual(Array.from({ length: 10 }, () => 'sts.amazonaws.com'));
    const { AWS_SESSION_TOKEN = '', AWS_SECRET_ACCESS_KEY = '' } = credentials.variables();
    expect(secrets).toEqual(expect.arrayContaining([AWS_SESSION_TOKEN, AWS_SECRET_ACCESS_KEY]));
    ssm.close();
  });

  test('are GitLab’s as long as its one token lasts and an hour longer, and their end is known before', async () => {
    const tokenFile = join(folder, 'token');
    writeFileSync(tokenFile, tokenFor(60));
    const role = 'arn:aws:iam::123456789012:role/deploy';
    const { account, ssm } = open(
      { AWS_ROLE_ARN: role, AWS_WEB_IDENTITY_TOKEN_FILE: tokenFile },
      () => Promise.reject(new Error('nobody asks GitHub')),
    );
    const ends: (boolean | 'ended')[] = [];
    for (let passed = 0; passed < 130; passed += 20) {
      const failure = await asked(ssm).then(
        () => undefined,
        (error: PortFailure) => error,
      );
      ends.push(failure === undefined ? account.credentialsEnd() !== undefined : 'ended');
      if (failure !== undefined) expect(failure).toMatchObject({ effect: 'none' });
      world.sandbox.clock.advance(20 * minuteMs);
    }
    expect(ends).toEqual([false, false, false, false, true, 'ended', 'ended']);
    ssm.close();
  });

  test('that ended are told apart from those that were never good', async () => {
    const { credentials, ssm } = open({}, () => Promise.reject(new Error('nobody asks GitHub')));
    expect(credentials.provide).toBeUndefined();
    const fault = { id: 'end', service: 'ssm', effect: { kind: 'status', status: 401 } } as const;
    const sandboxKeys = { accessKeyId: 'AKIASANDBOX', secretAccessKey: 'made-up' };
    const { ssm: own } = openCloud({
      ...askingAt(world.sandbox.ssmUrl),
      credentials: { ...credentials, provide: async () => sandboxKeys },
      configuration: { endpoint: world.sandbox.ssmUrl, region: 'eu-west-1' },
    });
    world.sandbox.faults.add(fault);
    expect(await failureOf(asked(own))).toMatchObject({ kind: 'unauthenticated' });
    world.sandbox.faults.clear();
    await asked(own);
    world.sandbox.faults.add(fault);
    expect(await failureOf(asked(own))).toMatchObject({ kind: 'ended', effect: 'none' });
    world.sandbox.faults.clear();
    for (const one of [ssm, own]) one.close();
  });
});

test.each([
  [
    'is known where the environment says so',
    { AWS_SESSION_TOKEN: 't', AWS_CREDENTIAL_EXPIRATION: '2026-11-02T09:00:00Z' },
    Date.parse('2026-11-02T09:00:00Z'),
  ],
  ['is not known of a session without a word of it', { AWS_SESSION_TOKEN: 't' }, undefined],
  [
    'is not there of keys that never end',
    { AWS_CREDENTIAL_EXPIRATION: '2026-11-02T09:00:00Z' },
    undefined,
  ],
])('the end of credentials that are given %s', (_, environment, end) => {
  const { endsAt } = createAwsCredentials({
    ...askingAt('http://127.0.0.1:1'),
    environment,
    readIdToken: () => Promise.reject(new Error('nobody asks')),
    keepSecret: () => undefined,
  });
  expect(endsAt()).toBe(end);
});
