import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { readNetworkError } from '../../src/adapters/transport/network-error.ts';
import { createSend } from '../../src/adapters/transport/send.ts';

const fixture = (name: string) =>
  fileURLToPath(new URL(`../fixtures/tls/${name}.pem`, import.meta.url));
const sender = fileURLToPath(
  new URL('../../build/src/adapters/transport/send.js', import.meta.url),
);

let server: Server;
let url: URL;
const received: string[] = [];

beforeAll(async () => {
  const pair = { key: readFileSync(fixture('key')), cert: readFileSync(fixture('certificate')) };
  server = createServer(pair, (incoming, outgoing) => {
    received.push(`${incoming.method} ${incoming.headers['private-token']}`);
    outgoing.end('over TLS');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = new URL(`https://127.0.0.1:${(server.address() as AddressInfo).port}/api/v4/version`);
});

beforeEach(() => {
  received.length = 0;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

test('a certificate without a trusted issuer is refused before anything is sent', async () => {
  const error = await createSend()({
    method: 'GET',
    url,
    headers: { 'private-token': 'a-made-up-token' },
    signal: new AbortController().signal,
    maxAnswerBytes: 1000,
  }).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(readNetworkError(error)).toEqual({
    // Node 24 adds advice.
    words: expect.stringMatching(/^self-signed certificate.* \(DEPTH_ZERO_SELF_SIGNED_CERT\)$/),
    sent: 'no',
    unreached: false,
    passing: false,
    lasting: 'untrusted_certificate',
  });
  expect(received).toEqual([]);
});

test('NODE_EXTRA_CA_CERTS makes a GitLab with a private certificate trusted', async () => {
  const program = `
    const { createSend } = await import(${JSON.stringify(sender)});
    const { body } = await createSend()({
      method: 'GET',
      url: new URL(${JSON.stringify(url.href)}),
      headers: { 'private-token': 'a-made-up-token' },
      signal: new AbortController().signal,
      maxAnswerBytes: 1000,
    });
    process.stdout.write(body);`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    env: { ...process.env, NODE_EXTRA_CA_CERTS: fixture('certificate') },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  const [code] = await once(child, 'close');
  expect({ code, printed }).toEqual({ code: 0, printed: 'over TLS' });
  expect(received).toEqual(['GET a-made-up-token']);
});
