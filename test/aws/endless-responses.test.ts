import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { createAwsCredentials } from '../../src/adapters/aws/aws-credentials.ts';
import { createSts } from '../../src/adapters/aws/services.ts';
import { createParameterStore } from '../../src/adapters/aws/state-store/parameter-store.ts';
import { readProxies } from '../../src/adapters/transport/proxies.ts';
import { failureOf } from '../support/failure-of.ts';
import { createVirtualClock } from '../transport/virtual-clock.ts';
import { optionsAt } from './cloud.ts';
import { type FakeSsm, startFakeSsm } from './fake-ssm.ts';
import { connect } from './sandbox-aws.ts';

const name = '/gitlab/dedicated/runner/linux/deployment_record';
let server: FakeSsm | undefined;
let endpoint: Server | undefined;
afterEach(async () => {
  await server?.close();
  endpoint?.closeAllConnections();
  endpoint?.close();
  server = endpoint = undefined;
});

async function storeOver(reply: 'stalled' | 'endless', environment = process.env) {
  server = await startFakeSsm(reply);
  const limits = { requestTimeoutMs: reply === 'stalled' ? 200 : 60_000, retryBudgetMs: 0 };
  const ssm = connect(server.url, { clock: createVirtualClock(), environment, ...limits });
  return createParameterStore({ ssm });
}

/**
 * Environment that bypasses the proxy for every address. The handler for proxies still sends,
 * without any proxy.
 */
const spared = { https_proxy: 'http://proxy.invalid:3128', no_proxy: '127.0.0.1' };

describe.each([
  ['without a proxy', process.env],
  ['through a proxy', spared],
])('an AWS response %s', (_, environment) => {
  test('times out at the end of the request’s time if it never ends', async () => {
    const store = await storeOver('stalled', environment);
    expect(await failureOf(store.find(name))).toMatchObject({
      kind: 'unreachable',
      effect: 'none',
      detail: 'no whole response within 0.2s',
    });
  });

  test('leaves a write’s effect unknown if it never ends', async () => {
    const store = await storeOver('stalled', environment);
    expect(await failureOf(store.overwrite({ name, value: '{}' }))).toMatchObject({
      kind: 'unreachable',
      effect: 'unknown',
    });
  });

  test('ends at the largest size if it continues without an end', async () => {
    const store = await storeOver('endless', environment);
    expect(await failureOf(store.find(name))).toMatchObject({
      kind: 'unexpected',
      detail: 'the response is longer than 33554432 bytes',
    });
    expect(server?.requests).toHaveLength(1);
  });
});

test('the environment of the second handler sets a proxy', () => {
  expect(readProxies(spared)).toBeDefined();
});

async function startServer(listener: RequestListener): Promise<string> {
  endpoint = createServer(listener);
  await new Promise<void>((resolve) => endpoint?.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}`;
}

const stall: RequestListener = (_, response) => {
  response.writeHead(200, { 'content-type': 'text/xml' });
  response.write('<');
};

describe('AWS credentials', () => {
  test('time out if the response of STS never ends', async () => {
    const url = await startServer(stall);
    const configuration = { endpoint: url, region: 'eu-west-1' };
    const options = { ...optionsAt(url), configuration, requestTimeoutMs: 200, retryBudgetMs: 0 };
    const credentials = createAwsCredentials({
      ...options,
      environment: { HOSTED_RUNNER_AWS_ROLE: 'arn:aws:iam::123456789012:role/deploy' },
      readIdToken: async () => 'header.e30.signature',
      keepSecret: () => undefined,
    });
    expect(await failureOf((credentials.provide as () => Promise<unknown>)())).toMatchObject({
      kind: 'unreachable',
      detail: 'no whole response within 0.2s',
    });
  });

  test('end the call if the response of their endpoint never ends', async () => {
    const url = await startServer(stall);
    const sts = createSts({
      ...optionsAt(url),
      configuration: { endpoint: url, region: 'eu-west-1' },
      credentials: {
        provide: () => new Promise<never>(() => undefined),
        variables: () => ({}),
        endsAt: () => undefined,
        accept: () => undefined,
        wereAccepted: () => false,
      },
      callTimeoutMs: 200,
      retryBudgetMs: 0,
    });
    const query = sts.send({
      what: 'GetCallerIdentity',
      effect: 'read',
      call: (client, options) => client.getCallerIdentity({}, options),
    });
    expect(await failureOf(query)).toMatchObject({
      kind: 'unreachable',
      detail: 'no response within 0.2s',
    });
  });
});
