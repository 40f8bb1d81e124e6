import { afterEach, describe, expect, test } from '@jest/globals';
import { createParameterStore } from '../../src/adapters/aws/state-store/parameter-store.ts';
import { failureOf } from '../support/failure-of.ts';
import { createVirtualClock } from '../transport/virtual-clock.ts';
import { type FakeSsm, type Reply, refusal, startFakeSsm } from './fake-ssm.ts';
import { connect } from './sandbox-aws.ts';

const name = '/gitlab/dedicated/runner/linux/deployment_status';
let server: FakeSsm | undefined;
afterEach(() => server?.close());

async function storeOver(kmsKeyId: string | undefined, ...replies: readonly Reply[]) {
  server = await startFakeSsm(...replies);
  const ssm = connect(server.url, { clock: createVirtualClock(), requestTimeoutMs: 60_000 });
  return createParameterStore({ ssm, kmsKeyId });
}

describe('a write that Parameter Store refuses', () => {
  test.each([
    [
      'TooManyUpdates',
      'another writer is changing it at this moment (TooManyUpdates: its own words)',
      'throttled',
    ],
    [
      'ParameterMaxVersionLimitExceeded',
      'the oldest of its 100 versions has a label, so no version can be added; move the label with aws ssm label-parameter-version (ParameterMaxVersionLimitExceeded: its own words)',
    ],
    [
      'ParameterPatternMismatchException',
      'its AllowedPattern refuses the value (ParameterPatternMismatchException: its own words)',
    ],
    [
      'HierarchyTypeMismatchException',
      'its type is not the one that hosted-runner writes; delete it and let it be created again (HierarchyTypeMismatchException: its own words)',
    ],
    [
      'ParameterLimitExceeded',
      'the account has reached its limit of parameters (ParameterLimitExceeded: its own words)',
    ],
  ])('changes nothing for %s, and reports the fix', async (code, detail, kind = 'refused') => {
    const store = await storeOver(undefined, refusal(code));
    expect(await failureOf(store.overwrite({ name, value: 'x' }))).toMatchObject({
      kind,
      effect: 'none',
      source: `SSM PutParameter ${name}`,
      detail,
    });
  });
});

test.each([
  ['the account’s own', undefined, {}],
  ['the configured', 'alias/ours', { KeyId: 'alias/ours' }],
])('a secret is written with its type and %s key each time', async (_, kmsKeyId, key) => {
  const store = await storeOver(kmsKeyId, { body: { Version: 1 } });
  await store.create({ name, value: 'a', secret: true, allowedPattern: '^a$' });
  await store.overwrite({ name, value: 'b', secret: true });
  await store.overwrite({ name, value: 'c' });
  const secret = { Type: 'SecureString', ...key };
  const created = { Overwrite: false, Tier: 'Standard', AllowedPattern: '^a$' };
  expect(server?.requests.map(({ body }) => body)).toEqual([
    { Name: name, Value: 'a', ...created, ...secret },
    { Name: name, Value: 'b', Overwrite: true, ...secret },
    { Name: name, Value: 'c', Overwrite: true, Type: 'String' },
  ]);
});

describe('a secret whose key access is denied', () => {
  const denied = refusal(
    'AccessDeniedException',
    'The ciphertext refers to a customer master key that you are not allowed to access.',
  );

  test.each([
    [undefined, 'alias/aws/ssm'],
    ['alias/runners', 'alias/runners'],
  ])('reports a missing permission that names the key (%s)', async (kmsKeyId, key) => {
    const store = await storeOver(kmsKeyId, denied);
    const failure = await failureOf(store.find(name));
    expect(failure).toMatchObject({ kind: 'denied', effect: 'none' });
    expect(failure.detail).toContain(`(the key is ${key})`);
    expect(failure.detail).toContain('ssm:GetParameter');
  });
});
