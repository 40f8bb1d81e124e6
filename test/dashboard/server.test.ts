import { request } from 'node:http';
import { afterEach, describe, expect, test } from '@jest/globals';
import { createDashboard } from '../../src/report/dashboard/dashboard-app.ts';
import { contentPolicy } from '../../src/report/dashboard/page.ts';
import { type Listening, listen } from '../../src/report/endpoint/http-listener.ts';
import { three } from './stacks.ts';

const app = createDashboard({ read: () => three, everyMs: 30_000 });
const sendRequest = async (path: string, init: RequestInit = {}, host = '127.0.0.1:8890') => {
  const headers = { ...(init.headers as Record<string, string> | undefined), host };
  const answer = await app.request(`http://127.0.0.1:8890${path}`, { ...init, headers });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
};

describe('the server of the dashboard', () => {
  test('returns the page, and its main part', async () => {
    const page = await sendRequest('/');
    const part = await sendRequest('/stacks');
    expect([page.status, part.status]).toEqual([200, 200]);
    expect(page.text).toMatch(/^<!DOCTYPE html>/);
    expect(part.text).toMatch(/^<main><div id="overview">/);
    expect(page.text).toContain(part.text);
  });

  test.each(['/', '/stacks', '/nothing'])('sends the same strict headers with %s', async (path) => {
    const { headers } = await sendRequest(path);
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'no-store',
      'content-security-policy': contentPolicy,
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    });
    expect(headers.has('access-control-allow-origin')).toBe(false);
  });

  test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'])(
    'refuses %s',
    async (method) => {
      const answer = await sendRequest('/', { method });
      expect([answer.status, answer.headers.get('allow'), answer.text]).toEqual([
        405,
        'GET, HEAD',
        'The dashboard is read-only.\n',
      ]);
    },
  );

  test.each(['127.0.0.1', '127.0.0.1:1', 'localhost:8890', 'LOCALHOST', '[::1]:8890'])(
    'responds under the host name %s',
    async (host) => {
      expect((await sendRequest('/', {}, host)).status).toBe(200);
    },
  );

  test.each([
    'evil.example:8890',
    '10.0.0.1:8890',
    '127.0.0.1.evil.example',
    'localhost.evil.example',
    'localhost@evil.example',
    '0.0.0.0:8890',
    '',
  ])('shows nothing under the host name %j', async (host) => {
    const answer = await sendRequest('/stacks', {}, host);
    expect([answer.status, answer.text]).toEqual([
      421,
      'Requests must name http://127.0.0.1 or http://localhost.\n',
    ]);
  });
});

describe('the dashboard over a socket', () => {
  let listening: Listening;
  afterEach(() => listening.close(0));

  test('refuses a host name that resolves to this machine', async () => {
    listening = await listen(app, { host: '127.0.0.1', port: 0, anyPort: '' });
    const readStatus = (host: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        const { port } = listening;
        request({ host: '127.0.0.1', port, path: '/', headers: { host } }, (answer) => {
          answer.resume();
          resolve(answer.statusCode);
        })
          .on('error', reject)
          .end();
      });
    expect(await readStatus(`127.0.0.1:${listening.port}`)).toBe(200);
    expect(await readStatus(`rebound.example:${listening.port}`)).toBe(421);
  });
});
