import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { createSsm } from '../../../src/adapters/aws/services.ts';
import { createSystemClock } from '../../../src/adapters/system/system-clock.ts';
import { type Proxies, readProxies } from '../../../src/adapters/transport/proxies.ts';
import { createProxiedSend } from '../../../src/adapters/transport/proxy-tunnels.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import type { PortFailure } from '../../../src/ports/failure.ts';
import { createTestTransport } from '../fake-server.ts';
import { createVirtualClock } from '../virtual-clock.ts';
import { startConnectProxy } from './connect-proxy.ts';

const password = 'a-made-up-password';
let server: Server | undefined;
afterEach(() => {
  server?.close();
});

/** Starts a server that accepts every connection and never responds. */
async function startUnresponsive(): Promise<number> {
  const unresponsive = createServer((socket) => socket.on('error', () => undefined));
  unresponsive.listen(0, '127.0.0.1');
  await new Promise((resolve) => unresponsive.once('listening', resolve));
  server = unresponsive;
  return (unresponsive.address() as AddressInfo).port;
}

const environmentOf = (port: number, more: Record<string, string> = {}) => ({
  https_proxy: `http://me:${password}@127.0.0.1:${port}`,
  ...more,
});

function failureOf(call: Promise<unknown>): Promise<PortFailure> {
  return call.then(
    () => {
      throw new Error('it was answered');
    },
    (failure: PortFailure) => failure,
  );
}

function queryGitLab(
  port: number,
  { method = 'PUT', clock = createSystemClock() as Clock } = {},
): Promise<PortFailure> {
  const send = createProxiedSend(readProxies(environmentOf(port, { NO_PROXY: 'a' })) as Proxies);
  const limits = { attempts: 1 };
  const { transport } = createTestTransport(async () => new Response(), { send, limits, clock });
  const url = new URL('https://gitlab.sandbox.example/api/v4/runners/48213');
  return failureOf(transport({ method, url, source: `GitLab ${method} /runners/48213` }));
}

async function queryAws(port: number, requestTimeoutMs = 10_000): Promise<PortFailure> {
  const ssm = createSsm({
    environment: environmentOf(port),
    clock: createVirtualClock(),
    random: { id: () => 'x', fraction: () => 0 },
    redact: (text) => text,
    retryBudgetMs: 0,
    requestTimeoutMs,
    configuration: {
      endpoint: 'https://ssm.sandbox.example',
      region: 'eu-west-1',
      credentials: { accessKeyId: 'AKIASANDBOX', secretAccessKey: 'made-up' },
    },
  });
  const call = (client: { getParameter(input: { Name: string }): Promise<unknown> }) =>
    client.getParameter({ Name: '/a' });
  const failure = await failureOf(
    ssm.send({ what: 'GetParameter /a', effect: 'read', call: call as never }),
  );
  ssm.close();
  return failure;
}

const throughOf = (port: number, exceptions: string, host: string) => ({
  proxy: `http://127.0.0.1:${port}`,
  variable: 'https_proxy',
  exceptions,
  host,
});

test('an unreachable proxy is named without its password, and nothing was sent', async () => {
  for (const method of ['GET', 'PUT']) {
    const failure = await queryGitLab(1, { method });
    expect(failure.effect).toBe('none');
    expectNamed(failure, 'gitlab.sandbox.example');
  }
});

test('an unreachable proxy of AWS calls is named, too', async () => {
  expectNamed(await queryAws(1), 'ssm.sandbox.example');
});

function expectNamed(failure: PortFailure, host: string): void {
  expect(failure).toMatchObject({
    kind: 'unreachable',
    through: throughOf(1, 'NO_PROXY', host),
  });
  const expected = `the proxy http://127.0.0.1:1, which is used for ${host}, does not respond: `;
  expect(failure.detail.slice(0, expected.length)).toBe(expected);
  expect(failure.detail.slice(expected.length)).toContain('ECONNREFUSED');
  expect(JSON.stringify(failure) + failure.message).not.toContain(password);
}

test('a proxy that does not respond is named after the time limit', async () => {
  const port = await startUnresponsive();
  expect(await queryGitLab(port, { clock: createVirtualClock() })).toMatchObject({
    through: throughOf(port, 'NO_PROXY', 'gitlab.sandbox.example'),
    detail: `no response from gitlab.sandbox.example in time, through the proxy http://127.0.0.1:${port}`,
  });
  const failure = await queryAws(port, 50);
  expect(failure).toMatchObject({ through: throughOf(port, 'NO_PROXY', 'ssm.sandbox.example') });
  expect(failure.detail).toMatch(
    new RegExp(
      `^no response from ssm\\.sandbox\\.example through the proxy http://127.0.0.1:${port}: `,
    ),
  );
});

test('a proxy that refuses is named', async () => {
  const proxy = await startConnectProxy({ authorization: 'Basic another', ports: {} });
  const failures = [await queryGitLab(proxy.port), await queryAws(proxy.port)];
  await proxy.close();
  for (const [index, host] of ['gitlab.sandbox.example', 'ssm.sandbox.example'].entries()) {
    expect(failures[index]?.through).toEqual(throughOf(proxy.port, 'NO_PROXY', host));
    expect(failures[index]?.detail).toContain(
      `no response from ${host} through the proxy http://127.0.0.1:${proxy.port}: `,
    );
    expect(failures[index]?.detail).toContain('the proxy answered 407 to CONNECT');
  }
});
