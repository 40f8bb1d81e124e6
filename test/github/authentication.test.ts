import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import {
  createGitHubClient,
  type GitHubCredentials,
} from '../../src/adapters/github/github-client.ts';
import { mayChange } from '../../src/adapters/transport/request.ts';
import { createRedactor } from '../../src/adapters/transport/words/redaction.ts';
import { githubApi } from '../../src/config/rules/github-address.ts';
import { createTestTransport, json } from '../transport/fake-server.ts';
import { createVirtualClock } from '../transport/virtual-clock.ts';

const route = 'GET /orgs/acme/actions/runners';

const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  publicKeyEncoding: { type: 'pkcs1', format: 'pem' },
});
const app = { kind: 'app', appId: 12, installationId: 7, privateKey } as const;

/** Creates a GitHub with an App, whose installation tokens it returns in turn. */
async function clientWith(
  credentials: GitHubCredentials,
  refusals: readonly number[] = [],
  refusedPath = route.split(' ')[1],
) {
  const left = [...refusals];
  const requests: { path: string; authorization: string }[] = [];
  const writes: string[] = [];
  const { transport, redactor, clock } = createTestTransport(async (request) => {
    const { pathname } = new URL(request.url);
    requests.push({ path: pathname, authorization: request.headers.get('authorization') ?? '' });
    const refusal = pathname === refusedPath ? left.shift() : undefined;
    if (refusal !== undefined) return json(refusal, { message: 'Bad credentials' });
    if (!pathname.endsWith('/access_tokens')) return json(200, { total_count: 0, runners: [] });
    return json(201, {
      token: `ghs_installation${requests.length}`,
      expires_at: new Date(Date.now() + 3_600_000).toISOString(),
      permissions: { organization_self_hosted_runners: 'write' },
      repository_selection: 'all',
    });
  });
  const client = await createGitHubClient({
    url: 'https://api.github.com',
    credentials,
    transport(request) {
      if (mayChange(request)) writes.push(request.source);
      return transport(request);
    },
    redactor,
    clock,
  });
  return { client, requests, writes, redactor, clock };
}

test('a token is sent unchanged, and is a secret from the beginning', async () => {
  const { client, requests, redactor } = await clientWith({
    kind: 'token',
    token: 'ghp_secret0000',
  });
  await client.request(route);
  expect(requests).toEqual([
    { path: '/orgs/acme/actions/runners', authorization: 'Bearer ghp_secret0000' },
  ]);
  expect(redactor.redact('said ghp_secret0000')).not.toContain('ghp_secret0000');
});

test('an App requests a token of its installation once, with a key that is never sent', async () => {
  const { client, requests, writes, redactor } = await clientWith(app);
  await client.request(route);
  await client.request(route);
  // The token request queues with the reads, because a read may need it.
  expect(writes).toEqual([]);
  const [exchange, ...others] = requests;
  expect(exchange?.path).toBe('/app/installations/7/access_tokens');
  const [, payload = ''] = (exchange?.authorization ?? '').replace(/^bearer /i, '').split('.');
  expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toMatchObject({ iss: 12 });
  expect(others).toEqual([
    { path: '/orgs/acme/actions/runners', authorization: 'Bearer ghs_installation1' },
    { path: '/orgs/acme/actions/runners', authorization: 'Bearer ghs_installation1' },
  ]);
  // An encoded form that no pattern recognises as a key.
  const encoded = Buffer.from(privateKey).toString('base64');
  expect(redactor.redact(`said ghs_installation1 and ${privateKey}${encoded}`)).toBe(
    'said [MASKED] and [MASKED][MASKED]',
  );
});

describe('a new installation token of an App', () => {
  test.each([
    [401, 401],
    [403, 403],
  ])('waits until a temporary refusal with %s has passed', async (...refusals) => {
    const { client, clock } = await clientWith(app, refusals);
    expect(await client.request(route)).toMatchObject({ status: 200 });
    expect(clock.elapsed()).toBe(2000);
  });

  test.each([
    [401, 'unauthenticated'],
    [403, 'denied'],
  ] as const)('waits no longer than ten seconds: %s', async (status, kind) => {
    const { client, clock } = await clientWith(app, Array(60).fill(status));
    await expect(client.request(route)).rejects.toMatchObject({ kind, status });
    expect(clock.elapsed()).toBeGreaterThanOrEqual(10_000);
    const at = clock.elapsed();
    await expect(client.request(route)).rejects.toMatchObject({ kind, status });
    expect(clock.elapsed() - at).toBe(0);
  });

  test('causes an error without a wait if GitHub refuses the App’s key', async () => {
    const path = '/app/installations/7/access_tokens';
    const { client } = await clientWith(app, [401, 401, 401, 401, 401, 401], path);
    await expect(client.request(route)).rejects.toMatchObject({
      kind: 'unauthenticated',
      status: 401,
      detail: expect.stringContaining('Bad credentials'),
    });
  });
});

test.each([
  ['https://github.com', 'https://api.github.com'],
  ['https://acme.ghe.com', 'https://api.acme.ghe.com'],
  ['https://github.acme.com', 'https://github.acme.com/api/v3'],
])('the API of %s has the address %s', (url, api) => {
  expect(githubApi(url)).toBe(api);
});

test('a cancellation ends the call with its own reason, and is no refusal of GitHub', async () => {
  const reason = new Error('received SIGINT');
  const client = await createGitHubClient({
    url: 'https://api.github.com',
    credentials: { kind: 'token', token: 'ghp_secret0000' },
    transport: () => Promise.reject(reason),
    redactor: createRedactor(),
    clock: createVirtualClock(),
  });
  const thrown = await client.request(route).catch((error: unknown) => error);
  expect(thrown).toBe(reason);
});
