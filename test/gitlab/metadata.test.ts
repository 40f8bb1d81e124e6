import { describe, expect, test } from '@jest/globals';
import { readServer } from '../../src/adapters/gitlab/metadata.ts';
import {
  type Answer,
  createFakeServer,
  createTestTransport,
  json,
} from '../transport/fake-server.ts';

const token = 'glpat-abcdefghij0123456789';

function queryServer(answer: Answer) {
  const server = createFakeServer(answer);
  const { transport, redactor } = createTestTransport(server.fetch);
  const url = 'https://gitlab.example.com/sub/';
  return { server, answer: readServer({ url, token, transport, redactor }) };
}

describe('the server probe', () => {
  test('reads version and time of the server', async () => {
    const date = 'Mon, 02 Nov 2026 10:00:00 GMT';
    const { server, answer } = queryServer(
      json(200, { version: '19.3.0-ee', enterprise: true }, { date }),
    );
    expect(await answer).toEqual({ version: '19.3.0-ee', enterprise: true, now: Date.parse(date) });
    const [request] = server.requests;
    expect(request?.url).toBe('https://gitlab.example.com/sub/api/v4/metadata');
    expect(request?.headers.get('private-token')).toBe(token);
  });

  test.each([
    ['a login page', new Response('<html>', { status: 404 }), 'unexpected'],
    ['a response without a version', json(200, {}), 'unexpected'],
    ['a response that is not JSON', new Response('ok'), 'unexpected'],
  ])('reports %s', async (_name, response, kind) => {
    await expect(queryServer(response).answer).rejects.toMatchObject({ kind, effect: 'none' });
  });
});
