import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect as connectSocket } from 'node:net';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createParameterStore } from '../../../src/adapters/aws/state-store/parameter-store.ts';
import { createSend } from '../../../src/adapters/transport/send.ts';
import { startFakeSsm } from '../../aws/fake-ssm.ts';
import { connect } from '../../aws/sandbox-aws.ts';

const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy'];
const before = new Map(names.map((name) => [name, process.env[name]]));
let proxy: Server;
let heard: string[];

beforeEach(async () => {
  heard = [];
  proxy = createServer((request, response) => {
    heard.push(`${request.method} ${request.url}`);
    response.end('{}');
  });
  proxy.on('connect', (request, socket) => {
    heard.push(`CONNECT ${request.url}`);
    socket.destroy();
  });
  await new Promise<void>((resolve) => {
    proxy.listen(0, '127.0.0.1', resolve);
  });
  const { port } = proxy.address() as AddressInfo;
  for (const name of names) process.env[name] = `http://127.0.0.1:${port}`;
});

afterEach(async () => {
  for (const [name, value] of before) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
  proxy.closeAllConnections();
  await new Promise((resolve) => {
    proxy.close(resolve);
  });
});

test('Node’s own way knows no proxy', async () => {
  const server = await startFakeSsm({ body: { own: true } });
  const received = await createSend()({
    method: 'POST',
    url: new URL(server.url),
    headers: { 'private-token': 'made-up' },
    body: '{}',
    signal: new AbortController().signal,
    maxAnswerBytes: 1000,
  });
  expect([received.body, heard]).toEqual(['{"own":true}', []]);
  await server.close();
});

test('AWS on this machine is asked past a proxy that a variable names', async () => {
  const server = await startFakeSsm({ body: { __type: 'ParameterNotFound' }, status: 400 });
  const ssm = connect(server.url);
  expect(await createParameterStore({ ssm }).find('/a')).toBeUndefined();
  expect(heard).toEqual([]);
  ssm.close();
  await server.close();
});

test('the proxy of these tests hears who asks it', async () => {
  const { port } = proxy.address() as AddressInfo;
  await new Promise<void>((resolve) => {
    const socket = connectSocket(port, '127.0.0.1', () => {
      socket.write('CONNECT gitlab.example.com:443 HTTP/1.1\r\nHost: gitlab.example.com\r\n\r\n');
    });
    socket.on('close', () => resolve());
    socket.on('error', () => resolve());
    socket.resume();
  });
  expect(heard).toEqual(['CONNECT gitlab.example.com:443']);
});
