import { EC2 } from '@aws-sdk/client-ec2';
import { IAM } from '@aws-sdk/client-iam';
import { STS } from '@aws-sdk/client-sts';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { openSandbox } from '../hosts/running-sandbox.ts';

const minuteMs = 60_000;

let world: Awaited<ReturnType<typeof openSandbox>>;
let clients: { sts: STS; iam: IAM };
let without: string[] = [];
beforeEach(async () => {
  without = [];
  world = await openSandbox({ admit: () => (without.length === 0 ? true : { without }) });
  const settings = { ...settingsOf('AKIASANDBOX', 'made-up'), endpoint: world.sandbox.ssmUrl };
  clients = { sts: new STS(settings), iam: new IAM(settings) };
});
afterEach(async () => {
  for (const client of Object.values(clients)) client.destroy();
  await world.close();
});

function settingsOf(accessKeyId: string, secretAccessKey: string, sessionToken?: string) {
  const credentials = {
    accessKeyId,
    secretAccessKey,
    ...(sessionToken === undefined ? {} : { sessionToken }),
  };
  return { region: 'eu-west-1', credentials, maxAttempts: 1 };
}

describe('a role that is assumed with a token of a CI', () => {
  const tokenOf = (claims: object) =>
    `x.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.x`;
  const assume = (exp: number) =>
    clients.sts.assumeRoleWithWebIdentity({
      RoleArn: 'arn:aws:iam::123456789012:role/runners/deploy',
      RoleSessionName: 'job-1',
      WebIdentityToken: tokenOf({ sub: 'project_path:acme/runners', exp }),
      DurationSeconds: 900,
    });

  test('shows as the caller, and expires in every service', async () => {
    const now = world.sandbox.clock.now();
    const { Credentials } = await assume(now / 1000 + 60);
    expect(Credentials?.Expiration?.getTime()).toBeGreaterThanOrEqual(now + 900_000);
    const { AccessKeyId = '', SecretAccessKey = '', SessionToken } = Credentials ?? {};
    const own = {
      ...settingsOf(AccessKeyId, SecretAccessKey, SessionToken),
      endpoint: world.sandbox.ssmUrl,
    };
    const [sts, ec2, iam] = [new STS(own), new EC2(own), new IAM(own)];
    expect(await sts.getCallerIdentity({})).toMatchObject({
      Arn: 'arn:aws:sts::123456789012:assumed-role/deploy/job-1',
      Account: '123456789012',
    });
    world.sandbox.clock.advance(15 * minuteMs);
    await expect(sts.getCallerIdentity({})).rejects.toMatchObject({ name: 'ExpiredToken' });
    await expect(iam.getRole({ RoleName: 'x' })).rejects.toMatchObject({ name: 'ExpiredToken' });
    await expect(ec2.describeInstances({})).rejects.toMatchObject({ name: 'RequestExpired' });
    for (const client of [sts, ec2, iam]) client.destroy();
  });

  test('requires a token that has not expired', async () => {
    await expect(assume(world.sandbox.clock.now() / 1000 - 1)).rejects.toMatchObject({
      name: 'ExpiredTokenException',
    });
  });
});

describe('an IAM simulation', () => {
  test('reports the missing values of the real call', async () => {
    without = ['aws:SourceIp'];
    const { EvaluationResults } = await clients.iam.simulatePrincipalPolicy({
      PolicySourceArn: 'arn:aws:iam::123456789012:role/deploy',
      ActionNames: ['ssm:PutParameter'],
    });
    expect(EvaluationResults).toMatchObject([
      { EvalDecision: 'implicitDeny', MissingContextValues: ['aws:SourceIp'] },
    ]);
  });
});
