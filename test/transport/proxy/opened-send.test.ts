import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Send } from '../../../src/adapters/transport/send.ts';
import { createRedactor } from '../../../src/adapters/transport/words/redaction.ts';
import { openSend } from '../../../src/app/open-send.ts';
import { type ConnectProxy, startConnectProxy } from './connect-proxy.ts';

const far = 'gitlab.sandbox.example';
const password = 'p4ssw0rd-of-the-proxy';
const authorization = `Basic ${Buffer.from(`me:${password}`).toString('base64')}`;
let server: Server;
let port: number;
let proxy: ConnectProxy;
let folder: string;
let redactor: ReturnType<typeof createRedactor>;

beforeEach(async () => {
  server = createServer((_, response) => response.end('the far end'));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  ({ port } = server.address() as AddressInfo);
  proxy = await startConnectProxy({ authorization, ports: { [far]: port } });
  folder = mkdtempSync(join(tmpdir(), 'opened-send-'));
  redactor = createRedactor();
});

afterEach(async () => {
  rmSync(folder, { recursive: true, force: true });
  await proxy.close();
  server.closeAllConnections();
  server.close();
});

async function open(environment: Record<string, string>, command = 'status'): Promise<Send> {
  const send = await openSend(command, environment, { redactor, writeError: () => {} });
  if (send === undefined) throw new Error('no way to the network was opened');
  return send;
}

const read = (send: Send, host: string) =>
  send({
    method: 'GET',
    url: new URL(`http://${host}/api/v4/version`),
    headers: {},
    signal: new AbortController().signal,
    maxAnswerBytes: 1000,
  });

const proxied = (more: Record<string, string> = {}) => ({
  HTTP_PROXY: `http://me:${password}@127.0.0.1:${proxy.port}`,
  ...more,
});

test('calls go directly to the address without a proxy variable', async () => {
  const send = await open({});
  expect(send.through).toBeUndefined();
  expect((await read(send, `127.0.0.1:${port}`)).body).toBe('the far end');
  expect(proxy.requests).toEqual([]);
});

test('every call goes through the configured proxy, and a failure can name it', async () => {
  const send = await open(proxied());
  for (const body of [(await read(send, far)).body, (await read(send, far)).body])
    expect(body).toBe('the far end');
  expect([new Set(proxy.requests), proxy.untunnelled]).toEqual([new Set([`${far}:80`]), []]);
  expect(send.through?.(new URL(`http://${far}/`))).toMatchObject({
    proxy: `http://127.0.0.1:${proxy.port}`,
    variable: 'HTTP_PROXY',
    exceptions: 'NO_PROXY',
    host: far,
  });
});

test('calls to a host in the exceptions avoid the proxy', async () => {
  const send = await open(proxied({ NO_PROXY: far }));
  await expect(read(send, far)).rejects.toMatchObject({ code: expect.stringMatching(/^E/) });
  expect(proxy.requests).toEqual([]);
  expect(send.through?.(new URL(`http://${far}/`))).toBeUndefined();
});

test('the password of a proxy is never shown', async () => {
  await open(proxied());
  expect(redactor.redact(`through ${password}`)).not.toContain(password);
});

test('a recording uses the proxy, and keeps its password out of the file', async () => {
  const file = join(folder, 'recording.jsonl');
  const send = await open(proxied({ HOSTED_RUNNER_RECORD: file }));
  expect((await read(send, far)).body).toBe('the far end');
  expect(proxy.requests).toEqual([`${far}:80`]);
  expect(send.through?.(new URL(`http://${far}/`))?.variable).toBe('HTTP_PROXY');
  expect(readFileSync(file, 'utf8')).not.toContain(password);
});

test('a command without network calls opens no recording', async () => {
  const file = join(folder, 'recording.jsonl');
  const way = openSend(
    'explain',
    { HOSTED_RUNNER_RECORD: file },
    { redactor, writeError: () => {} },
  );
  expect([await way, existsSync(file)]).toEqual([undefined, false]);
});
