import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { readNetworkError } from '../../../src/adapters/transport/network-error.ts';
import { type Proxies, readProxies } from '../../../src/adapters/transport/proxies.ts';
import { createProxiedSend } from '../../../src/adapters/transport/proxy-tunnels.ts';
import { type ConnectProxy, startConnectProxy } from './connect-proxy.ts';

const basic = `Basic ${Buffer.from('me:p@ss').toString('base64')}`;
let far: Server;
let farPort: number;
let proxy: ConnectProxy;
let received: string[];

beforeEach(async () => {
  received = [];
  far = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text;
    });
    request.on('end', () => {
      received.push(`${request.method} ${request.headers.host} ${request.url} ${body}`);
      response.writeHead(302, { location: '/elsewhere', 'x-next-page': '2' }).end('the far end');
    });
  });
  await new Promise<void>((resolve) => {
    far.listen(0, '127.0.0.1', resolve);
  });
  farPort = (far.address() as AddressInfo).port;
  proxy = await startConnectProxy({
    authorization: basic,
    ports: { 'gitlab.sandbox.example': farPort },
  });
});

afterEach(async () => {
  await proxy.close();
  far.closeAllConnections();
  far.close();
});

function send(url: string, { user = 'me:p%40ss@', method = 'GET', maxAnswerBytes = 1000 } = {}) {
  const address = `http://${user}127.0.0.1:${proxy.port}`;
  const proxies = readProxies({ HTTP_PROXY: address, NO_PROXY: 'spared.example' }) as Proxies;
  const onSent = () => received.push('sent');
  return createProxiedSend(proxies)({
    method,
    url: new URL(url),
    headers: { 'private-token': 'made-up' },
    body: method === 'GET' ? undefined : '{}',
    signal: new AbortController().signal,
    maxAnswerBytes,
    onSent,
  });
}

test.each(['GET', 'POST'])('%s goes through a tunnel, and follows no redirect', async (method) => {
  const answer = await send('http://gitlab.sandbox.example/api?a=b', { method });
  expect([answer.status, answer.headers.get('X-Next-Page'), answer.body]).toEqual([
    302,
    '2',
    'the far end',
  ]);
  expect(proxy.requests).toEqual(['gitlab.sandbox.example:80']);
  expect(proxy.untunnelled).toEqual([]);
  expect(received).toEqual([
    'sent',
    `${method} gitlab.sandbox.example /api?a=b ${method === 'GET' ? '' : '{}'}`,
  ]);
});

test('a response that is too large is not read to its end', async () => {
  const answer = await send('http://gitlab.sandbox.example/', { maxAnswerBytes: 5 });
  expect(answer.body).toBeUndefined();
});

test('calls to this machine go directly', async () => {
  expect((await send(`http://127.0.0.1:${farPort}/`)).body).toBe('the far end');
  expect(proxy.requests).toEqual([]);
});

test.each([
  ['http://gitlab.sandbox.example/', 'you:other@', '407', false],
  ['http://unknown.example/', 'me:p%40ss@', '403', false],
])('a call that the proxy refuses was never sent: %s as %s', async (url, user, status, passing) => {
  const error = await send(url, { user, method: 'POST' }).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(readNetworkError(error)).toEqual({
    words: `the proxy answered ${status} to CONNECT (PROXY_REFUSED)`,
    sent: 'no',
    unreached: false,
    passing,
  });
  expect(received).toEqual(['sent']);
});
