import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { createGitHubClient, type GitHubCredentials } from '../../src/github/client.ts';
import { createTestTransport, json } from '../transport/fake-server.ts';

const route = 'GET /orgs/acme/actions/runners';

/** A GitHub that knows an App, and takes its installation's tokens in their turn. */
async function clientWith(credentials: GitHubCredentials) {
  const asked: { path: string; authorization: string }[] = [];
  const { transport, redactor } = createTestTransport(async (request) => {
    const { pathname } = new URL(request.url);
    asked.push({ path: pathname, authorization: request.headers.get('authorization') ?? '' });
    if (!pathname.endsWith('/access_tokens')) return json(200, { total_count: 0, runners: [] });
    return json(201, {
      token: `ghs_installation${asked.length}`,
      expires_at: new Date(Date.now() + 3_600_000).toISOString(),
      permissions: { organization_self_hosted_runners: 'write' },
      repository_selection: 'all',
    });
  });
  const client = await createGitHubClient({
    url: 'https://api.github.com',
    credentials,
    transport,
    redactor,
  });
  return { client, asked, redactor };
}

test('a token is sent as it is, and is a secret from the beginning', async () => {
  const { client, asked, redactor } = await clientWith({ kind: 'token', token: 'ghp_secret0000' });
  await client.request(route);
  expect(asked).toEqual([
    { path: '/orgs/acme/actions/runners', authorization: 'token ghp_secret0000' },
  ]);
  expect(redactor.redact('said ghp_secret0000')).not.toContain('ghp_secret0000');
});

test('an App asks for a token of its installation once, by a key that is never sent', async () => {
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    publicKeyEncoding: { type: 'pkcs1', format: 'pem' },
  });
  const app = { kind: 'app', appId: 12, installationId: 7, privateKey } as const;
  const { client, asked, redactor } = await clientWith(app);
  await client.request(route);
  await client.request(route);
  const [exchange, ...others] = asked;
  expect(exchange?.path).toBe('/app/installations/7/access_tokens');
  const [, payload = ''] = (exchange?.authorization ?? '').replace(/^bearer /i, '').split('.');
  expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toMatchObject({ iss: 12 });
  expect(others).toEqual([
    { path: '/orgs/acme/actions/runners', authorization: 'token ghs_installation1' },
    { path: '/orgs/acme/actions/runners', authorization: 'token ghs_installation1' },
  ]);
  expect(redactor.redact(`said ghs_installation1 and ${privateKey}`)).not.toMatch(
    /ghs_installation1|BEGIN/,
  );
});
