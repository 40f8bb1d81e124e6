import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, expect, test } from '@jest/globals';
import { createCallBudget } from '../../src/adapters/transport/budget.ts';
import type { TransportRequest } from '../../src/adapters/transport/request.ts';
import { createTransport } from '../../src/adapters/transport/transport.ts';
import { createRedactor } from '../../src/adapters/transport/words/redaction.ts';
import type { Clock } from '../../src/ports/clock.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** Real sockets respond in real time, so this clock is real. Its waits are short. */
const clock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  sleep: (durationMs, signal) => delay(durationMs, undefined, signal && { signal }),
};

const open = (attemptMs: number) =>
  createTransport({
    clock,
    random: { id: () => 'abcdefgh12345678', fraction: () => 0.5 },
    signal: () => new AbortController().signal,
    budget: createCallBudget({ clock }),
    redactor: createRedactor(),
    limits: { attemptMs, maxAnswerBytes: 1_000_000, firstBackoffMs: 1, attempts: 3 },
  });
const transport = open(60_000);
/** Transport for requests that never get a response. */
const impatient = open(300);

async function startServer(listener: RequestListener): Promise<URL> {
  const server = createServer(listener);
  server.keepAliveTimeout = 300_000;
  servers.push(server);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v4/runners`);
}

function request(url: URL, method: string): TransportRequest {
  const body = method === 'GET' ? {} : { body: '{}' };
  return {
    method,
    url,
    source: `GitLab ${method} /runners`,
    headers: { 'private-token': 's' },
    ...body,
  };
}

test('a request sends method, headers and body, and reads the response', async () => {
  const url = await startServer((incoming, outgoing) => {
    incoming.pipe(
      outgoing.writeHead(201, { 'x-token': String(incoming.headers['private-token']) }),
    );
  });
  const answer = await transport(request(url, 'POST'));
  expect(answer).toMatchObject({ status: 201, body: '{}' });
  expect(answer.headers.get('x-token')).toBe('s');
});

test('a redirect does not carry the token to another host', async () => {
  const seen: unknown[] = [];
  const other = await startServer((incoming, outgoing) => {
    seen.push(incoming.headers['private-token']);
    outgoing.end();
  });
  const url = await startServer((_, outgoing) =>
    outgoing.writeHead(302, { location: other.href }).end(),
  );
  await expect(transport(request(url, 'GET'))).rejects.toMatchObject({
    kind: 'refused',
    status: 302,
  });
  expect(seen).toEqual([]);
});

test('a refused connection means that nothing changed', async () => {
  const url = await startServer(() => undefined);
  const [server] = servers.splice(0);
  await new Promise((resolve) => server?.close(resolve));
  await expect(transport(request(url, 'POST'))).rejects.toMatchObject({
    kind: 'unreachable',
    effect: 'none',
    detail: `no response from ${url.host}: connect ECONNREFUSED ${url.host} (ECONNREFUSED) (3 attempts)`,
  });
});

test('a write whose connection broke has an unknown effect', async () => {
  let received = 0;
  const url = await startServer((incoming) => {
    received += 1;
    incoming.resume().on('end', () => incoming.socket.destroy());
  });
  await expect(transport(request(url, 'POST'))).rejects.toMatchObject({
    kind: 'unreachable',
    effect: 'unknown',
  });
  expect(received).toBe(1);
});

test('a call ends if its response stops in the middle', async () => {
  const url = await startServer((_, outgoing) => outgoing.writeHead(200).write('{"half":'));
  await expect(impatient(request(url, 'GET'))).rejects.toMatchObject({
    kind: 'unreachable',
    effect: 'none',
    detail: `no response from ${url.host} in time (3 attempts)`,
  });
});

test('a truncated response does not count as complete', async () => {
  const url = await startServer((_, outgoing) => {
    outgoing.writeHead(200, { 'content-length': '100' }).write('{"half":');
    setImmediate(() => outgoing.socket?.destroy());
  });
  await expect(transport(request(url, 'GET'))).rejects.toMatchObject({ kind: 'unreachable' });
});

test('an endless response is read only up to its limit', async () => {
  let closed: (() => void) | undefined;
  const whenClosed = new Promise<void>((resolve) => {
    closed = resolve;
  });
  const url = await startServer((_, outgoing) => {
    outgoing.on('close', () => closed?.());
    const go = () => {
      if (!outgoing.destroyed && outgoing.write('x'.repeat(65_536))) setImmediate(go);
      else outgoing.once('drain', go);
    };
    go();
  });
  await expect(transport(request(url, 'GET'))).rejects.toMatchObject({
    kind: 'unexpected',
    detail: 'the response is too large',
  });
  await whenClosed;
});

test('writes use a new connection each, and reads share a kept one', async () => {
  const ports: (number | undefined)[] = [];
  const url = await startServer((incoming, outgoing) => {
    ports.push(incoming.socket.remotePort);
    incoming.resume().on('end', () => outgoing.end('{}'));
  });
  for (const method of ['GET', 'GET', 'POST', 'DELETE']) await transport(request(url, method));
  expect(ports[1]).toBe(ports[0]);
  expect(new Set(ports).size).toBe(3);
});

test('a request reports the time when it is sent', async () => {
  const url = await startServer((_, outgoing) => outgoing.end('{}'));
  let sent = 0;
  await transport({
    ...request(url, 'GET'),
    onSent: () => {
      sent += 1;
    },
  });
  expect(sent).toBe(1);
});
