import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { everything } from '../by-hand/world/at-rest.ts';
import { openWorld, type World } from '../by-hand/world/world.ts';

/** Warning of `prepare` about keys without expiry. */
const warning = 'AWS_ACCESS_KEY_ID is a long-lived key';

/** Identity token like a CI's, which expires with the job. */
const claims = { sub: 'project_path:acme/runners', exp: Math.floor(Date.now() / 1000) + 3600 };
const identityToken = `header.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.signature`;

/** The bundle finds its credentials like AWS's own tools. STS issues them. */
describe('the AWS credentials of a deployment', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(async () => {
    await world?.close();
  });

  /** Environment without the keys that the sandbox issued. */
  const none = {
    AWS_ACCESS_KEY_ID: '',
    AWS_SECRET_ACCESS_KEY: '',
    AWS_SESSION_TOKEN: '',
    AWS_EC2_METADATA_DISABLED: 'true',
  };
  const write = (name: string, text: string) => {
    const file = join(world.folder, name);
    writeFileSync(file, text);
    return file;
  };
  const webIdentity = (token: string) => ({
    ...none,
    AWS_ROLE_ARN: 'arn:aws:iam::123456789012:role/deployer',
    AWS_ROLE_SESSION_NAME: 'pipeline-100',
    AWS_WEB_IDENTITY_TOKEN_FILE: token,
  });
  const profile = (name: string) => ({
    ...none,
    AWS_PROFILE: name,
    // The variable is absent, because an empty one would count as the region.
    AWS_REGION: undefined as unknown as string,
    AWS_CONFIG_FILE: write(
      'aws-config',
      `[profile base]
region = eu-west-1
[profile deployer]
region = eu-west-1
source_profile = base
role_arn = arn:aws:iam::123456789012:role/deployer
role_session_name = by-profile
`,
    ),
    AWS_SHARED_CREDENTIALS_FILE: write(
      'aws-credentials',
      '[base]\naws_access_key_id = AKIABASE\naws_secret_access_key = made-up\n',
    ),
  });

  test('a web identity deploys, and is not a long-lived key', async () => {
    const token = write('web-identity', identityToken);
    const { text, exitCode } = await world.stage('deploy', { env: webIdentity(token) });
    expect({ text, exitCode }).toEqual({ text, exitCode: 0 });
    expect(text).toContain(
      'authenticated as arn:aws:sts::123456789012:assumed-role/deployer/pipeline-100',
    );
    expect(text).not.toContain(warning);
    expect(text).not.toContain(identityToken);
  });

  test('a profile that assumes a role deploys, in the region that it names', async () => {
    const { text, exitCode } = await world.stage('deploy', { env: profile('deployer') });
    expect({ text, exitCode }).toEqual({ text, exitCode: 0 });
    expect(text).toContain(
      'region eu-west-1, authenticated as arn:aws:sts::123456789012:assumed-role/deployer/by-profile',
    );
    expect(text).not.toContain(warning);
  });

  test('keys that never expire deploy, and cause a warning', async () => {
    const keys = { AWS_ACCESS_KEY_ID: 'AKIAMADEUP', AWS_SECRET_ACCESS_KEY: 'made-up' };
    const { text, exitCode } = await world.stage('deploy', { env: { ...none, ...keys } });
    expect({ text, exitCode }).toEqual({ text, exitCode: 0 });
    expect(text).toContain(warning);
  });

  test.each<[string, () => Record<string, string>, string?]>([
    ['a web identity whose file is missing', () => webIdentity('/nowhere/at/all')],
    ['a profile that does not exist', () => profile('nobody'), 'BadUsage'],
    ['no credentials', () => ({ ...none }), 'CredentialsMissing'],
  ])(
    '%s causes an error before any change',
    async (_name, env, expected = 'CredentialsRefused') => {
      const before = everything(world);
      const { code, text } = await world.stage('prepare', {
        env: { ...env(), AWS_REGION: 'eu-west-1' },
      });
      expect({ code, text }).toEqual({ code: expected, text });
      expect(everything(world)).toEqual(before);
    },
  );

  test('a role whose trust policy refuses the token causes an error with its subject', async () => {
    const iss = 'https://token.actions.githubusercontent.com';
    const sub = 'repo:octo-org@123456/octo-repo@456789:ref:refs/heads/main';
    const payload = { ...claims, iss, sub, aud: 'sts.amazonaws.com' };
    const text64 = Buffer.from(JSON.stringify(payload)).toString('base64url');
    const env = webIdentity(write('refused-identity', `header.${text64}.signature`));
    const before = everything(world);
    world.sandbox.faults.add({
      id: 'trust',
      service: 'ssm',
      match: { operation: 'AssumeRoleWithWebIdentity' },
      effect: { kind: 'status', status: 403 },
    });
    const { code, exitCode, text } = await world.stage('prepare', { env });
    world.sandbox.faults.clear();
    expect({ code, exitCode, text }).toEqual({ code: 'RoleRefused', exitCode: 1, text });
    expect(text).toContain(`iss "${iss}", sub "${sub}", aud "sts.amazonaws.com"`);
    expect(text).toContain(env.AWS_ROLE_ARN);
    expect(text).not.toContain(text64);
    expect(everything(world)).toEqual(before);
    expect(await world.stage('status', { env })).toMatchObject({ exitCode: 0 });
  });

  test('a role is assumed although STS does not reach the keys of the issuer at first', async () => {
    const message = "Couldn't retrieve verification key from your identity provider";
    world.sandbox.faults.add({
      id: 'keys',
      service: 'ssm',
      match: { operation: 'AssumeRoleWithWebIdentity' },
      effect: {
        kind: 'status',
        status: 400,
        body: `<ErrorResponse><Error><Code>InvalidIdentityToken</Code><Message>${message}</Message></Error></ErrorResponse>`,
      },
      times: 2,
    });
    const env = webIdentity(write('web-identity', identityToken));
    // A prepared deployment would be resumed by the other tests, in any order.
    expect(await world.stage('status', { env })).toMatchObject({ exitCode: 0 });
    world.sandbox.faults.clear();
  });

  test('a container’s endpoint that never ends its response ends the run, and keeps no process', async () => {
    const server = createServer((_, response) => void response.writeHead(200).write('{'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const running = world.start({
      args: ['prepare', '--runner', 'linux'],
      env: {
        ...none,
        AWS_REGION: 'eu-west-1',
        AWS_CONTAINER_CREDENTIALS_FULL_URI: `http://127.0.0.1:${port}/credentials`,
      },
    });
    const { code, text } = await running.ended;
    server.closeAllConnections();
    server.close();
    expect({ code, text }).toEqual({ code: 'Unreachable', text });
    expect(text).toContain('no response within 45s');
  });
});
