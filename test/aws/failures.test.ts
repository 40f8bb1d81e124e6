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
  // Real time: a busy machine answers late, so that only who is never answered is given up soon.
  const requestTimeoutMs = replies.includes('silence') ? 100 : 60_000;
  const ssm = connect(server.url, { clock, requestTimeoutMs });
  return { store: createParameterStore({ ssm, kmsKeyId: 'alias/ours' }), server, clock };
}

const html = { status: 502, body: '<html>Bad Gateway</html>', type: 'text/html' };

describe('a read', () => {
  test.each<[string, Reply, Partial<PortFailure>]>([
    [
      'has a key that KMS does not know',
      refusal('InvalidKeyId', 'Invalid keyId'),
      { kind: 'refused', detail: 'InvalidKeyId: Invalid keyId (the key is alias/ours)' },
    ],
    [
      'is answered by something that is no API',
      { body: 'Please log in', type: 'text/html' },
      { kind: 'unexpected', status: 200, detail: 'HTTP 200 with a body that cannot be read' },
    ],
    [
      'is answered with another parameter',
      { body: { Parameter: { Name: '/x', Value: 'x', Version: 1, LastModifiedDate: 1.7e9 } } },
      { kind: 'unexpected', detail: 'the answer is about /x' },
    ],
  ])('that %s fails at once', async (_, reply, expected) => {
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
    ['meets an error of theirs', refusal('InternalServerError', '', 500), { kind: 'unavailable' }],
    ['meets a proxy without its server', html, { kind: 'unavailable', status: 502 }],
    ['is reset', 'reset', { kind: 'unreachable' }],
    ['is never answered', 'silence', { kind: 'unreachable' }],
  ])('that %s is tried again for half a minute', async (_, reply, expected) => {
    const { store, server, clock } = await storeOver(reply);
    expect(await failureOf(store.find(name))).toMatchObject({ effect: 'none', ...expected });
    expect(server.requests.length).toBeGreaterThan(4);
    expect(clock.elapsed()).toBeLessThanOrEqual(30_000);
  });

  test('that passes after two troubles is answered', async () => {
    const { store } = await storeOver('reset', refusal('ThrottlingException'), {
      body: { Parameter: { Name: name, Value: 'x', Version: 7, LastModifiedDate: 1_700_000_000 } },
    });
    expect(await store.find(name)).toEqual({
      value: 'x',
      version: 7,
      modifiedAt: '2023-11-14T22:13:20.000Z',
    });
  });

  test('of a version that the selector does not find looks into the whole history', async () => {
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

describe('a write', () => {
  const write = (store: Awaited<ReturnType<typeof storeOver>>['store']) =>
    store.overwrite({ name, value: '{}' });

  test.each<[string, Reply, Partial<PortFailure>]>([
    ['is never answered', 'silence', { kind: 'unreachable', effect: 'unknown' }],
    ['meets a proxy without its server', html, { kind: 'unavailable', effect: 'unknown' }],
    [
      'meets a refusal that is no word of AWS',
      { status: 403, body: '<html>Not on this network</html>', type: 'text/html' },
      { kind: 'unexpected', effect: 'unknown' },
    ],
  ])('that %s is sent once', async (_, reply, expected) => {
    const { store, server } = await storeOver(reply);
    expect(await failureOf(write(store))).toMatchObject(expected);
    expect(server.requests).toHaveLength(1);
  });

  test('to a server that is not there has no effect', async () => {
    const { store, server } = await storeOver('reset');
    await server.close();
    expect(await failureOf(write(store))).toMatchObject({
      kind: 'unreachable',
      effect: 'none',
      detail: expect.stringMatching(/ECONNREFUSED/),
    });
  });
});

test('a cancel ends the pause before the next try with its own reason', async () => {
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

test('a missing region is said so', async () => {
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
] as const)(
  'a socket of AWS that fails with %s lasts until an operator acts: %s',
  (code, lasting) => {
    const error = Object.assign(new Error('the socket failed'), { code });
    const context = { source: 'SSM', effect: 'read', redact: (text: string) => text } as const;
    expect(toAwsFailure(error, context)).toMatchObject({ kind: 'unreachable', lasting });
  },
);

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
])('what is wrong before anything is sent is no silence of AWS: %#', (error, kind, detail) => {
  const context = { source: 'SSM', effect: 'write', redact: (text: string) => text } as const;
  expect(toAwsFailure(error, context)).toMatchObject({ kind, effect: 'none', detail });
});
