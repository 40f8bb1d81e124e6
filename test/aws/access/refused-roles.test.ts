import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { createAwsCredentials } from '../../../src/adapters/aws/aws-credentials.ts';
import { toAwsFailure } from '../../../src/adapters/aws/aws-failure.ts';
import { createRedactor } from '../../../src/adapters/transport/words/redaction.ts';
import { fromPortFailure } from '../../../src/errors/external-errors.ts';
import { renderError } from '../../../src/errors/render.ts';
import { openSandbox } from '../../sandbox/hosts/running-sandbox.ts';
import { failureOf } from '../../support/failure-of.ts';
import { openCloud, optionsAt } from '../cloud.ts';

const role = 'arn:aws:iam::123456789012:role/deploy';
const github = 'https://token.actions.githubusercontent.com';
const immutable = 'repo:octo-org@123456/octo-repo@456789:ref:refs/heads/main';

function xmlOf(code: string, message: string): string {
  return `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error></ErrorResponse>`;
}

describe('a role that STS refuses', () => {
  let world: Awaited<ReturnType<typeof openSandbox>>;
  let folder: string;
  const redactor = createRedactor();
  beforeAll(async () => {
    world = await openSandbox();
    folder = mkdtempSync(join(tmpdir(), 'refused-roles-'));
  });
  afterEach(() => world.sandbox.faults.clear());
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    await world.close();
  });

  const tokenWith = (claims: unknown) =>
    `eyJhbGciOiJSUzI1NiJ9.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.c2lnbmF0dXJl`;

  /** Sets STS's response to every request. */
  function refuse(status: number, body?: string): void {
    world.sandbox.faults.add({
      id: 'trust',
      service: 'ssm',
      match: { operation: 'AssumeRoleWithWebIdentity' },
      effect: { kind: 'status', status, ...(body === undefined ? {} : { body }) },
    });
  }

  async function textOf(token: string): Promise<string> {
    const tokenFile = join(folder, 'token');
    writeFileSync(tokenFile, token);
    const options = { ...optionsAt(world.sandbox.ssmUrl), redact: redactor.redact };
    const configuration = { endpoint: world.sandbox.ssmUrl, region: 'eu-west-1' };
    const credentials = createAwsCredentials({
      ...options,
      environment: { AWS_ROLE_ARN: role, AWS_WEB_IDENTITY_TOKEN_FILE: tokenFile },
      configuration,
      readIdToken: () => Promise.reject(new Error('nobody asks GitHub')),
      keepSecret: (secret) => redactor.add(secret),
    });
    const { account, ssm } = openCloud({ ...options, credentials, configuration });
    const failure = await failureOf(account.readIdentity());
    ssm.close();
    expect(failure).toMatchObject({ kind: 'unauthenticated', effect: 'none' });
    const { fields } = fromPortFailure(failure, 'hosted-runner prepare');
    expect(fields).toMatchObject({ code: 'RoleRefused', exitCode: 1 });
    const text = redactor.redact(renderError('prepare', fields));
    expect(text).toContain(role);
    for (const part of token.split('.')) expect(text).not.toContain(part || token);
    return text;
  }

  test.each([
    [immutable, 'a policy with "repo:octo-org/octo-repo:ref:refs/heads/main" does not match'],
    [
      'repo:octo-org/octo-repo:environment:production',
      'a policy with "repo:octo-org@ID/octo-repo@ID:environment:production" does not match',
    ],
  ])('causes an error with the subject %s of GitHub, and names its form', async (sub, form) => {
    refuse(403);
    const text = await textOf(tokenWith({ iss: github, sub, aud: 'sts.amazonaws.com', exp: 9e9 }));
    expect(text).toContain('Not authorized to perform sts:AssumeRoleWithWebIdentity');
    expect(text).toContain(`iss "${github}", sub "${sub}", aud "sts.amazonaws.com"`);
    expect(text).toContain(form);
    expect(text).toContain(
      `oidc-provider/token.actions.githubusercontent.com with "Condition": {"StringEquals":{"token.actions.githubusercontent.com:aud":"sts.amazonaws.com","token.actions.githubusercontent.com:sub":"${sub}"}}`,
    );
    expect(text).toContain('docs/use/github.md#the-role-on-aws');
  });

  test('causes an error with GitHub’s page if an organization customized the `sub` claim', async () => {
    refuse(403);
    const sub =
      'repository_owner_id:123:job_workflow_ref:octo-org/ci/.github/workflows/deploy.yml@v1';
    const text = await textOf(tokenWith({ iss: github, sub, aud: 'sts.amazonaws.com', exp: 9e9 }));
    expect(text).toContain('docs/use/github.md#the-role-on-aws');
  });

  test('causes an error with the subject of GitLab and the address of its provider', async () => {
    refuse(403);
    const sub = 'project_path:acme/runners:ref_type:branch:ref:main';
    const iss = 'https://gitlab.example.com/ci';
    const text = await textOf(tokenWith({ iss, sub, aud: ['sts.amazonaws.com', 'two'] }));
    expect(text).toContain(`iss "${iss}", sub "${sub}", aud ["sts.amazonaws.com","two"]`);
    expect(text).toContain(`"gitlab.example.com/ci:sub":"${sub}"`);
    expect(text).toContain('docs/use/gitlab.md#aws-credentials');
  });

  test.each([
    ['InvalidIdentityToken', 'Incorrect token audience'],
    [
      'InvalidIdentityToken',
      'No OpenIDConnect provider found in your account for https://gitlab.example.com',
    ],
    ['IDPRejectedClaim', 'The provider rejected the claim'],
    ['AccessDenied', 'Not authorized to perform sts:AssumeRoleWithWebIdentity'],
  ])('counts %s "%s" as a refusal, not as an expired credential', async (code, message) => {
    refuse(code === 'InvalidIdentityToken' ? 400 : 403, xmlOf(code, message));
    const text = await textOf(tokenWith({ iss: github, sub: immutable, aud: 'other' }));
    expect(text).toContain(message);
    expect(text).toContain(`sub "${immutable}", aud "other"`);
  });

  const ofGitLab = {
    iss: 'https://gitlab.example.com',
    sub: 'project_path:acme/runners:ref_type:branch:ref:main',
    aud: 'sts.amazonaws.com',
  };
  const firstFix = (text: string) => /^ {2}fix {2}(.*)$/m.exec(text)?.[1];

  test('names the command that creates the provider if the provider does not exist', async () => {
    const message =
      'No OpenIDConnect provider found in your account for https://gitlab.example.com';
    refuse(400, xmlOf('InvalidIdentityToken', message));
    const text = await textOf(tokenWith(ofGitLab));
    expect(firstFix(text)).toBe(
      'Create the identity provider in the account of the role: aws iam create-open-id-connect-provider --url https://gitlab.example.com --client-id-list sts.amazonaws.com',
    );
    expect(text).toContain('oidc-provider/gitlab.example.com with "Condition"');
  });

  test('names the command that adds the audience if the provider lacks it', async () => {
    refuse(400, xmlOf('InvalidIdentityToken', 'Incorrect token audience'));
    expect(firstFix(await textOf(tokenWith({ ...ofGitLab, aud: 'other' })))).toBe(
      'Add the audience to the identity provider: aws iam add-client-id-to-open-id-connect-provider --open-id-connect-provider-arn arn:aws:iam::123456789012:oidc-provider/gitlab.example.com --client-id other',
    );
  });

  test('names the activation, and no trust policy, if STS is inactive in the Region', async () => {
    const message =
      'STS is not activated in this region for account:123456789012. Your account administrator can activate STS in this region using the IAM Console.';
    refuse(403, xmlOf('RegionDisabledException', message));
    const text = await textOf(tokenWith(ofGitLab));
    expect(firstFix(text)).toMatch(/^Activate STS for this Region/);
    expect(text).not.toMatch(/trust policy|Condition/);
  });

  test.each([
    'http://gl.example.com:8443/sub',
    'http://gl.example.com',
    'https://gl.example.com:8443',
  ])('names an issuer that AWS accepts, and no ARN, if the issuer is %s', async (iss) => {
    refuse(400, xmlOf('InvalidIdentityToken', `No OpenIDConnect provider found for ${iss}`));
    const text = await textOf(tokenWith({ ...ofGitLab, iss }));
    expect(firstFix(text)).toContain(`issuer "${iss}"`);
    expect(firstFix(text)).toContain('ci_id_tokens');
    expect(text).not.toMatch(/oidc-provider|create-open-id/);
  });

  test.each([
    ['not a JWT', 'of-gitlab-and-no-jwt'],
    ['a JWT of a number', `x.${Buffer.from('7').toString('base64url')}.x7x7x7x7`],
    ['a JWT of null', `x.${Buffer.from('null').toString('base64url')}.x7x7x7x7`],
    ['a JWT with claims of other types', tokenWith({ iss: 1, sub: {}, aud: [null, 2] })],
    ['a JWT without claims', tokenWith({})],
  ])('causes an error if the token is %s', async (_, token) => {
    refuse(403);
    const text = await textOf(token.replace(/^x\.(.*)\.x/, 'xxxxxxxx.$1.x'));
    expect(text).toContain('docs/use/github.md#the-role-on-aws');
    expect(text).toContain('docs/use/gitlab.md#aws-credentials');
  });

  test('prints a hostile branch name on one line, without its escapes', async () => {
    refuse(403);
    const sub = 'repo:octo-org/octo-repo:ref:refs/heads/a\n::add-mask::b\u001b[31m';
    const text = await textOf(tokenWith({ iss: github, sub, aud: 'sts.amazonaws.com' }));
    expect(text).not.toMatch(/\u001b|^::/m);
  });
});

test('the error names the role that a profile may not assume', () => {
  const message =
    'User: arn:aws:iam::123456789012:user/ci is not authorized to perform: sts:AssumeRole on resource: arn:aws:iam::123456789012:role/path/deploy';
  const error = Object.assign(new Error(message), {
    name: 'AccessDenied',
    $fault: 'client',
    $metadata: { httpStatusCode: 403 },
  });
  const failure = toAwsFailure(error, {
    source: 'SSM PutParameter /x',
    effect: 'write',
    redact: (text) => text,
  });
  expect(failure).toMatchObject({ kind: 'unauthenticated', effect: 'none' });
  expect(fromPortFailure(failure, 'hosted-runner prepare').fields).toMatchObject({
    code: 'RoleRefused',
    what: 'AWS does not grant this job the role arn:aws:iam::123456789012:role/path/deploy.',
  });
});
