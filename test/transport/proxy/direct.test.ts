import { createServer, globalAgent, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { getGlobalDispatcher, setGlobalDispatcher, Agent as WayOfFetch } from 'undici';
import { createProxiedHandler } from '../../../src/adapters/aws/proxy-handler.ts';
import { type Proxies, readProxies } from '../../../src/adapters/transport/proxies.ts';
import { createSend, type Send } from '../../../src/adapters/transport/send.ts';

let server: Server;
let port: number;
let sockets: Set<Socket>;
let send: Send;
const usual = getGlobalDispatcher();

beforeEach(async () => {
  sockets = new Set();
  send = createSend();
  server = createServer((request, response) => {
    sockets.add(request.socket);
    response.end('the far end');
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  port = (server.address() as AddressInfo).port;
});

afterEach(() => {
  Reflect.deleteProperty(globalAgent, 'addRequest');
  setGlobalDispatcher(usual);
  server.closeAllConnections();
  server.close();
});

/** Sends a request. It must avoid Node's own agents, which use a proxy with NODE_USE_ENV_PROXY. */
function sendDirectly(method: string) {
  return send({
    method,
    url: new URL(`http://127.0.0.1:${port}/api`),
    headers: {},
    signal: new AbortController().signal,
    maxAnswerBytes: 1000,
  });
}

test.each(['GET', 'HEAD', 'PUT'])('%s avoids Node’s global agent', async (method) => {
  Object.assign(globalAgent, {
    addRequest() {
      throw new Error('Node’s own agent was asked');
    },
  });
  expect(await sendDirectly(method)).toMatchObject({ status: 200 });
});

test('reads share a kept connection, and each write has a new one', async () => {
  await sendDirectly('GET');
  await new Promise(setImmediate);
  await sendDirectly('GET');
  expect(sockets.size).toBe(1);
  await sendDirectly('PUT');
  expect(sockets.size).toBe(2);
});

test('direct AWS calls avoid the global dispatcher of fetch, too', async () => {
  const elsewhere = Object.assign(new WayOfFetch(), {
    dispatch(): never {
      throw new Error('the way of fetch was gone');
    },
  });
  setGlobalDispatcher(elsewhere);
  const proxies = readProxies({ HTTP_PROXY: 'http://proxy.invalid:3128' }) as Proxies;
  const handler = createProxiedHandler(proxies);
  const { response } = await handler.handle({
    protocol: 'http:',
    hostname: '127.0.0.1',
    port,
    path: '/',
    method: 'POST',
    headers: {},
  });
  for await (const _ of response.body);
  handler.destroy();
  expect(response.statusCode).toBe(200);
});
