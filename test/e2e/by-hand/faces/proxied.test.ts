import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type ConnectProxy, startConnectProxy } from '../../../transport/proxy/connect-proxy.ts';
import { openWorld, type World, writeConfiguration } from '../world/world.ts';

const fixture = (name: string) =>
  fileURLToPath(new URL(`../../../fixtures/tls/sandbox-${name}.pem`, import.meta.url));
const password = 'a-made-up-password';

let world: World;
let proxy: ConnectProxy;
let front: Server;

beforeAll(async () => {
  world = await openWorld();
  const portOf = (address = '') => Number(new URL(address).port);
  const gitlab = portOf(world.sandbox.url);
  const aws = portOf(world.environment['AWS_ENDPOINT_URL_SSM']);
  // Forwards TLS requests to the sandbox under the sandbox's own name.
  const pair = { key: readFileSync(fixture('key')), cert: readFileSync(fixture('certificate')) };
  front = createServer(pair, (incoming, outgoing) => {
    const { method, url: path } = incoming;
    const port = incoming.headers.host?.startsWith('aws.') ? aws : gitlab;
    const headers = { ...incoming.headers, host: `127.0.0.1:${port}` };
    const far = request({ host: '127.0.0.1', port, method, path, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    far.on('error', () => outgoing.destroy());
    incoming.pipe(far);
  });
  front.listen(0, '127.0.0.1');
  await once(front, 'listening');
  const tls = (front.address() as AddressInfo).port;
  proxy = await startConnectProxy({
    authorization: `Basic ${Buffer.from(`deployer:${password}`).toString('base64')}`,
    ports: { 'gitlab.sandbox.example': tls, 'aws.sandbox.example': tls },
  });
});

afterAll(async () => {
  await world.close();
  await proxy.close();
  front.closeAllConnections();
  front.close();
});

test('a whole deployment goes through a proxy, and no other place shows the proxy’s password', async () => {
  const { environment } = world;
  const sandboxUrl = world.sandbox.url.replace(/\/$/, '');
  const outside = (name: string) => `https://${name}.sandbox.example`;
  const text = readFileSync(environment['HOSTED_RUNNER_CONFIG'] ?? '', 'utf8');
  const config = writeConfiguration(
    world,
    'proxied.yml',
    text.replace(sandboxUrl, outside('gitlab')),
  );
  const services = Object.entries(environment)
    .filter(([name]) => name.startsWith('AWS_ENDPOINT_URL'))
    .map(([name, url]) => [name, url.replace(new URL(url).origin, outside('aws'))]);
  const env = {
    ...Object.fromEntries(services),
    HOSTED_RUNNER_CONFIG: config,
    HOSTED_RUNNER_GITLAB_URL: outside('gitlab'),
    HTTPS_PROXY: `http://deployer:${password}@127.0.0.1:${proxy.port}`,
    NODE_EXTRA_CA_CERTS: fixture('certificate'),
    // Node 24 would use the proxy by itself. The program must keep control of its requests.
    NODE_USE_ENV_PROXY: '1',
  };
  const deployed = await world.stage('deploy', { env });
  expect({ exitCode: deployed.exitCode, stderr: deployed.stderr }).toEqual({
    exitCode: 0,
    stderr: '',
  });
  const tunnels = tally(proxy.requests);
  expect(Object.keys(tunnels).sort()).toEqual([
    'aws.sandbox.example:443',
    'gitlab.sandbox.example:443',
  ]);
  expect(tunnels['aws.sandbox.example:443']).toBeGreaterThan(10);
  expect(proxy.untunnelled).toEqual([]);

  const refused = await world.stage('status', {
    env: { ...env, HTTPS_PROXY: `http://deployer:another-secret@127.0.0.1:${proxy.port}` },
  });
  expect(refused.text).toContain('the proxy answered 407 to CONNECT');
  for (const { text: output } of [deployed, refused]) {
    expect(output).not.toContain(password);
    expect(output).not.toContain('another-secret');
  }
});

function tally(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
