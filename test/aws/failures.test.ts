import { afterEach, describe, expect, test } from '@jest/globals';
import { toAwsFailure } from '../../src/adapters/aws/aws-failure.ts';
import { createParameterStore } from '../../src/adapters/aws/state-store/parameter-store.ts';
import type { PortFailure } from '../../src/ports/failure.ts';
import { failureOf } from '../support/failure-of.ts';
import { createVirtualClock } from '../transport/virtual-clock.ts';
import { type FakeSsm, type Reply, refusal, startFakeSsm } from './fake-ssm.ts';
import { connect } from './sandbox-aws.ts';

const name = '/gitlab/dedicated/runner/linux/deployment_record';
let server: FakeSsm | undefined;
afterEach(() => server?.close());

async function storeOver(...replies: readonly Reply[]) {
  server = await startFakeSsm(...replies);
  const clock = createVirtualClock();
  // Real time: a loaded machine responds late, so only a request without any response has the short
  // timeout.
  const requestTimeoutMs = replies.includes('silence') ? 100 : 60_000;
  const ssm = connect(server.url, { clock, requestTimeoutMs });
  return { store: createParameterStore({ ssm, kmsKeyId: 'alias/ours' }), server, clock };
}

const html = { status: 502, body: '<html>Bad Gateway</html>', type: 'text/html' };

describe('a read from AWS', () => {
  test.each<[string, Reply, Partial<PortFailure>]>([
    [
      'uses a key that KMS does not know',
      refusal('InvalidKeyId', 'Invalid keyId'),
      { kind: 'refused', detail: 'InvalidKeyId: Invalid keyId (the key is alias/ours)' },
    ],
    [
      'receives a response of something that is not an API',
      { body: 'Please log in', type: 'text/html' },
      { kind: 'unexpected', status: 200, detail: 'HTTP 200 with a body that cannot be read' },
    ],
    [
      'receives another parameter',
      { body: { Parameter: { Name: '/x', Value: 'x', Version: 1, LastModifiedDate: 1.7e9 } } },
      { kind: 'unexpected', detail: 'the response is about /x' },
    ],
  ])('fails at once if it %s', async (_, reply, expected) => {
    const { store, server } = await storeOver(reply);
    expect(await failureOf(store.find(name))).toMatchObject({
      effect: 'none',
      source: `SSM GetParameter ${name}`,
      ...expected,
    });
    expect(server.requests).toHaveLength(1);
  });

  test.each<[string, Reply, Partial<PortFailure>]>([
    ['is throttled', refusal('ThrottlingException', 'Rate exceeded'), { kind: 'throttled' }],
    ['receives a server error', refusal('InternalServerError', '', 500), { kind: 'unavailable' }],
    ['meets a proxy without its server', html, { kind: 'unavailable', status: 502 }],
    ['is reset', 'reset', { kind: 'unreachable' }],
    ['times out', 'silence', { kind: 'unreachable' }],
  ])('continues with retries for half a minute if it %s', async (_, reply, expected) => {
    const { store, server, clock } = await storeOver(reply);
    expect(await failureOf(store.find(name))).toMatchObject({ effect: 'none', ...expected });
    expect(server.requests.length).toBeGreaterThan(4);
    expect(clock.elapsed()).toBeLessThanOrEqual(30_000);
  });

  test('succeeds after two temporary failures', async () => {
    const { store } = await storeOver('reset', refusal('ThrottlingException'), {
      body: { Parameter: { Name: name, Value: 'x', Version: 7, LastModifiedDate: 1_700_000_000 } },
    });
    expect(await store.find(name)).toEqual({
      value: 'x',
      version: 7,
      modifiedAt: '2023-11-14T22:13:20.000Z',
    });
  });

  test('searches the whole history for a version that the selector does not find', async () => {
    const page = (version: number) => ({
      Name: name,
      Value: `v${version}`,
      Version: version,
      LastModifiedDate: 1_700_000_000,
    });
    const { store, server } = await storeOver(
      refusal('ParameterVersionNotFound'),
      { body: { Parameters: [page(1)], NextToken: 'more' } },
      { body: { Parameters: [page(2)] } },
    );
    expect(await store.findVersion(name, 2)).toMatchObject({ value: 'v2', version: 2 });
    expect(server.requests.map(({ operation }) => operation)).toEqual([
      'GetParameter',
      'GetParameterHistory',
      'GetParameterHistory',
    ]);
  });
});

describe('a write to AWS', () => {
  const write = (store: Awaited<ReturnType<typeof storeOver>>['store']) =>
    store.overwrite({ name, value: '{}' });

  test.each<[string, Reply, Partial<PortFailure>]>([
    ['times out', 'silence', { kind: 'unreachable', effect: 'unknown' }],
    ['meets a proxy without its server', html, { kind: 'unavailable', effect: 'unknown' }],
    [
      'meets a refusal that AWS does not define',
      { status: 403, body: '<html>Not on this network</html>', type: 'text/html' },
      { kind: 'unexpected', effect: 'unknown' },
    ],
  ])('runs once if it %s', async (_, reply, expected) => {
    const { store, server } = await storeOver(reply);
    expect(await failureOf(write(store))).toMatchObject(expected);
    expect(server.requests).toHaveLength(1);
  });

  test('changes nothing if the server does not exist', async () => {
    const { store, server } = await storeOver('reset');
    await server.close();
    expect(await failureOf(write(store))).toMatchObject({
      kind: 'unreachable',
      effect: 'none',
      detail: expect.stringMatching(/ECONNREFUSED/),
    });
  });
});

test('a cancellation ends the pause before the next retry with its own reason', async () => {
  server = await startFakeSsm('reset');
  const cancel = new AbortController();
  const clock = createVirtualClock();
  const ssm = connect(server.url, {
    clock: {
      ...clock,
      sleep: (durationMs, signal) => {
        cancel.abort(new Error('cancelled by a person'));
        return clock.sleep(durationMs, signal);
      },
    },
    signal: () => cancel.signal,
  });
  await expect(createParameterStore({ ssm }).find(name)).rejects.toThrow('cancelled by a person');
});

test('a missing region causes an error that names it', async () => {
  const ssm = connect('http://127.0.0.1:1', { configuration: {}, environment: process.env });
  const before = { ...process.env };
  for (const variable of ['AWS_REGION', 'AWS_DEFAULT_REGION', 'AWS_PROFILE']) {
    delete process.env[variable];
  }
  process.env['AWS_CONFIG_FILE'] = '/dev/null';
  try {
    expect(await failureOf(createParameterStore({ ssm }).find(name))).toMatchObject({
      kind: 'refused',
      detail: 'no AWS region is configured; set AWS_REGION',
    });
  } finally {
    process.env = before;
  }
});

test.each([
  ['ENOTFOUND', 'unknown_name'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'untrusted_certificate'],
  ['EAI_AGAIN', undefined],
] as const)('a socket error %s of AWS persists until an operator acts: %s', (code, lasting) => {
  const error = Object.assign(new Error('the socket failed'), { code });
  const context = { source: 'SSM', effect: 'read', redact: (text: string) => text } as const;
  expect(toAwsFailure(error, context)).toMatchObject({ kind: 'unreachable', lasting });
});

test.each([
  [
    { name: 'Error', message: 'ENOENT: open /token', code: 'ENOENT' },
    'unauthenticated',
    'ENOENT: open /token',
  ],
  [
    { name: 'Error', message: 'Region not accepted: region="".' },
    'refused',
    'Region not accepted: region="". Set AWS_REGION.',
  ],
])(
  'an error before the request is sent does not count as a missing response: %#',
  (error, kind, detail) => {
    const context = { source: 'SSM', effect: 'write', redact: (text: string) => text } as const;
    expect(toAwsFailure(error, context)).toMatchObject({ kind, effect: 'none', detail });
  },
);
