import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createAwsCredentials } from '../../../src/adapters/aws/aws-credentials.ts';
import { createSts } from '../../../src/adapters/aws/services.ts';
import { readIdToken } from '../../../src/adapters/ci/github/id-token.ts';
import { createSystemRandom } from '../../../src/adapters/system/system-random.ts';
import { failureOf } from '../../support/failure-of.ts';

const minuteMs = 60_000;
const role = 'arn:aws:iam::123456789012:role/deployer';

/** The service that gives a job of GitHub its identity tokens, and STS, which takes them. */
function openServices() {
  const state = { isTokenOver: false, isRoleRefused: false, nowMs: 0 };
  const requests: { readonly url: string; readonly authorization: string | undefined }[] = [];
  const given: string[] = [];
  const taken: string[] = [];
  const server = createServer((request, response) => {
    const url = request.url ?? '';
    if (url.startsWith('/token')) {
      requests.push({ url, authorization: request.headers.authorization });
      if (state.isTokenOver) {
        response.writeHead(401, { 'content-type': 'application/json' });
        response.end('{"message":"the token of this job has expired"}');
        return;
      }
      given.push(`identity-${given.length + 1}`);
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ value: given.at(-1) }));
      return;
    }
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      const form = new URLSearchParams(body);
      const [status, xml] = answerOf(form, state);
      if (form.get('Action') === 'AssumeRoleWithWebIdentity')
        taken.push(form.get('WebIdentityToken') ?? '');
      response.writeHead(status, { 'content-type': 'text/xml' }).end(xml);
    });
  });
  return { server, state, requests, given, taken };
}

/** https://docs.aws.amazon.com/STS/latest/APIReference/API_AssumeRoleWithWebIdentity.html */
function answerOf(
  form: URLSearchParams,
  { isRoleRefused, nowMs }: { isRoleRefused: boolean; nowMs: number },
): [number, string] {
  const action = form.get('Action') ?? '';
  if (action === 'GetCallerIdentity')
    return [200, result(action, `<Arn>${role}</Arn><Account>123456789012</Account>`)];
  if (isRoleRefused) {
    const error = '<Type>Sender</Type><Code>ExpiredTokenException</Code><Message>over</Message>';
    return [400, `<ErrorResponse><Error>${error}</Error></ErrorResponse>`];
  }
  const seconds = Number(form.get('DurationSeconds') ?? 3600);
  const end = new Date(nowMs + seconds * 1000).toISOString();
  return [
    200,
    result(
      action,
      `<Credentials><AccessKeyId>ASIA1</AccessKeyId><SecretAccessKey>s</SecretAccessKey><SessionToken>t</SessionToken><Expiration>${end}</Expiration></Credentials>`,
    ),
  ];
}

const result = (action: string, inner: string) =>
  `<${action}Response xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><${action}Result>${inner}</${action}Result></${action}Response>`;

describe('a role assumed with identity tokens of GitHub', () => {
  const services = openServices();
  const { state, requests, given, taken, server } = services;
  const write = process.stdout.write.bind(process.stdout);

  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
    const { port } = server.address() as AddressInfo;
    process.env['ACTIONS_ID_TOKEN_REQUEST_URL'] = `http://127.0.0.1:${port}/token?api-version=2`;
    process.env['ACTIONS_ID_TOKEN_REQUEST_TOKEN'] = 'request-token';
    // The toolkit writes its own requests and masks to the CI's output.
    process.stdout.write = (text: string | Uint8Array) =>
      String(text).startsWith('::') || write(text);
  });
  beforeEach(() => {
    Object.assign(state, { isTokenOver: false, isRoleRefused: false, nowMs: Date.now() });
    for (const list of [requests, given, taken]) list.length = 0;
  });
  afterAll(async () => {
    process.stdout.write = write;
    delete process.env['ACTIONS_ID_TOKEN_REQUEST_URL'];
    delete process.env['ACTIONS_ID_TOKEN_REQUEST_TOKEN'];
    await new Promise<void>((resolve) => server.close(() => resolve()));
  });

  function open(arn = role, given: Readonly<Record<string, string>> = {}) {
    const { port } = server.address() as AddressInfo;
    const secrets: string[] = [];
    const options = {
      environment: { HOSTED_RUNNER_AWS_ROLE: arn, GITHUB_RUN_ID: '77', ...given },
      clock: {
        now: () => state.nowMs,
        elapsed: () => state.nowMs,
        sleep: async () => undefined,
      },
      random: createSystemRandom(),
      redact: (text: string) => text,
      retryBudgetMs: 0,
      configuration: { region: 'eu-west-1', endpoint: `http://127.0.0.1:${port}` },
    };
    const keepSecret = (secret: string) => secrets.push(secret);
    const credentials = createAwsCredentials({ ...options, readIdToken, keepSecret });
    const sts = createSts({ ...options, credentials });
    const who = () =>
      sts.send({
        what: 'GetCallerIdentity',
        effect: 'read',
        call: (client, options) => client.getCallerIdentity({}, options),
      });
    return { credentials, who, secrets };
  }

  test.each([
    [role, 'sts.amazonaws.com'],
    ['arn:aws-cn:iam::123456789012:role/deployer', 'sts.amazonaws.com.cn'],
    ['arn:aws-us-gov:iam::123456789012:role/deployer', 'sts.amazonaws.com'],
  ])('%s: the job’s token requests the identity token for %s', async (arn, audience) => {
    const { who, secrets } = open(arn);
    await who();
    expect(requests).toEqual([
      { url: `/token?api-version=2&audience=${audience}`, authorization: 'Bearer request-token' },
    ]);
    expect(taken).toEqual(given);
    expect(secrets).toEqual(['identity-1', 's', 't']);
  });

  test('each renewal uses a new identity token', async () => {
    const { who } = open();
    await who();
    state.nowMs += 31 * minuteMs;
    await who();
    expect(taken).toEqual(['identity-1', 'identity-2']);
  });

  test('the expiry of the request token is known half an hour before the credentials expire', async () => {
    const { who, credentials } = open();
    const startedAt = state.nowMs;
    await who();
    state.isTokenOver = true;
    state.nowMs += 31 * minuteMs;
    await who();
    expect(credentials.endsAt()).toBe(startedAt + 60 * minuteMs);
  });

  test.each([
    ['GitHub returns no token any more', { isTokenOver: true }, 'GitHub gave no identity token'],
    ['STS accepts no token any more', { isRoleRefused: true }, 'ExpiredTokenException'],
  ])(
    'credentials count as expired, not wrong, after the request token expired: %s',
    async (_, end, words) => {
      const { who } = open();
      await who();
      Object.assign(state, end);
      state.nowMs += 61 * minuteMs;
      const failure = await failureOf(who());
      expect(failure).toMatchObject({ kind: 'ended', effect: 'none' });
      expect(failure.detail).toContain(words);
    },
  );

  test.each([
    ['no token', { isTokenOver: true }, 'GitHub gave no identity token (id-token: write)'],
    ['no role', { isRoleRefused: true }, 'ExpiredTokenException'],
  ])('a job with %s at the start is refused credentials', async (_, end, words) => {
    const { who } = open();
    Object.assign(state, end);
    const failure = await failureOf(who());
    expect(failure).toMatchObject({ kind: 'unauthenticated', effect: 'none' });
    expect(failure.detail).toContain(words);
  });

  test('GitLab’s token is read from its file at each renewal, and expires as GitHub’s does', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'id-token-'));
    try {
      const file = join(folder, 'token');
      writeFileSync(file, 'of-gitlab\n');
      const { who, secrets } = open('', {
        AWS_ROLE_ARN: role,
        AWS_WEB_IDENTITY_TOKEN_FILE: file,
      });
      await who();
      writeFileSync(file, 'of-gitlab-2\n');
      state.nowMs += 31 * minuteMs;
      await who();
      expect({ taken, requests }).toEqual({
        taken: ['of-gitlab', 'of-gitlab-2'],
        requests: [],
      });
      expect(secrets).toContain('of-gitlab-2');
      state.isRoleRefused = true;
      state.nowMs += 61 * minuteMs;
      expect(await failureOf(who())).toMatchObject({ kind: 'ended', effect: 'none' });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test('the error names the variable that is missing without the permission', async () => {
    const url = process.env['ACTIONS_ID_TOKEN_REQUEST_URL'];
    delete process.env['ACTIONS_ID_TOKEN_REQUEST_URL'];
    const { who } = open();
    const failure = await failureOf(who());
    process.env['ACTIONS_ID_TOKEN_REQUEST_URL'] = url;
    expect(failure.kind).toBe('unauthenticated');
    expect(failure.detail).toContain('ACTIONS_ID_TOKEN_REQUEST_URL');
  });
});
