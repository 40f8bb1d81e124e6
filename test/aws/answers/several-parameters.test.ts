import { AsyncLocalStorage } from 'node:async_hooks';
import { afterEach, describe, expect, test } from '@jest/globals';
import { createParameterStore } from '../../../src/adapters/aws/state-store/parameter-store.ts';
import { failureOf } from '../../support/failure-of.ts';
import { createVirtualClock } from '../../transport/virtual-clock.ts';
import { type FakeSsm, type Reply, refusal, type SsmRequest, startFakeSsm } from '../fake-ssm.ts';
import { connect } from '../sandbox-aws.ts';

let server: FakeSsm | undefined;
afterEach(() => server?.close());

async function storeOver(...replies: readonly (Reply | ((request: SsmRequest) => Reply))[]) {
  server = await startFakeSsm(...replies);
  return createParameterStore({ ssm: connect(server.url, { clock: createVirtualClock() }) });
}

const listRequests = () =>
  server?.requests.map(({ operation, body }) => [operation, body['Names'] ?? body['Name']]);
const known = (name: string, version = 3) => ({
  Name: name,
  Value: `value of ${name}`,
  Version: version,
  LastModifiedDate: 1_790_000_000,
  Type: 'String',
});
const alone = (name: string): Reply => ({ body: { Parameter: known(name) } });

describe('parameter reads that are requested in one turn', () => {
  test('share one call, and each receives the value for its name', async () => {
    const store = await storeOver({
      body: { Parameters: [known('/record', 7), known('/lock', 4)], InvalidParameters: ['/hold'] },
    });
    const names = ['/hold', '/lock', '/record', '/lock'];
    expect(await Promise.all(names.map((name) => store.find(name)))).toMatchObject([
      undefined,
      { value: 'value of /lock', version: 4 },
      { value: 'value of /record', version: 7 },
      { value: 'value of /lock', version: 4 },
    ]);
    expect(server?.requests).toMatchObject([
      {
        operation: 'GetParameters',
        body: { Names: ['/hold', '/lock', '/record'], WithDecryption: true },
      },
    ]);
  });

  test('run again for another caller if the first caller of the batch is cancelled', async () => {
    const scope = new AsyncLocalStorage<AbortSignal>();
    const clock = createVirtualClock();
    const signal = () => scope.getStore() as AbortSignal;
    server = await startFakeSsm(alone('/lock'));
    const store = createParameterStore({ ssm: connect(server.url, { clock, signal }) });
    const [cancelled, kept] = [new AbortController(), new AbortController()];
    const first = scope.run(cancelled.signal, () => store.find('/lock'));
    cancelled.abort(new Error('cancelled'));
    const second = scope.run(kept.signal, () => store.find('/lock'));
    await expect(first).rejects.toThrow('cancelled');
    expect(await second).toMatchObject({ value: 'value of /lock' });
  });

  test('request at most ten names per call', async () => {
    const names = Array.from({ length: 21 }, (_, index) => `/${index}`);
    const several = (from: number) => ({
      body: { InvalidParameters: names.slice(from, from + 10) },
    });
    const store = await storeOver(several(0), several(10), refusal('ParameterNotFound'));
    await Promise.allSettled(names.map((name) => store.find(name)));
    const counts = server?.requests.map(({ operation, body }) => [
      operation,
      (body['Names'] as string[] | undefined)?.length,
    ]);
    expect(counts?.sort()).toEqual([
      ['GetParameter', undefined],
      ['GetParameters', 10],
      ['GetParameters', 10],
    ]);
  });

  test('do not share a call with a later read, which may show a newer value', async () => {
    const store = await storeOver(alone('/lock'));
    await store.find('/lock');
    await store.find('/lock');
    expect(listRequests()).toEqual([
      ['GetParameter', '/lock'],
      ['GetParameter', '/lock'],
    ]);
  });
});

describe('a response that lacks a requested name', () => {
  test.each([
    ['the name is in neither list', { Parameters: [known('/lock')], InvalidParameters: [] }],
    ['the list of absent names is missing', { Parameters: [known('/lock')] }],
    [
      'the name is in both lists',
      { Parameters: [known('/lock'), known('/hold')], InvalidParameters: ['/hold'] },
    ],
  ])('counts as a failure of this name, not as an absence (%s)', async (_, body) => {
    const store = await storeOver({ body });
    const [lock, hold] = [store.find('/lock'), failureOf(store.find('/hold'))];
    expect(await lock).toMatchObject({ version: 3 });
    expect(await hold).toMatchObject({ kind: 'unexpected', source: 'SSM GetParameters /hold' });
  });

  test('counts as a failure of every name if AWS is not reached, each with its source', async () => {
    const store = await storeOver('reset');
    const found = await Promise.all(['/lock', '/hold'].map((name) => failureOf(store.find(name))));
    expect(found).toMatchObject([
      { kind: 'unreachable', source: 'SSM GetParameters /lock' },
      { kind: 'unreachable', source: 'SSM GetParameters /hold' },
    ]);
  });
});

describe('a batch call that AWS refuses as a whole', () => {
  const denied = (action: string, on: string) =>
    refusal('AccessDeniedException', `not authorized to perform: ssm:${action} on ${on}`);

  test('causes a read for each name: the error names the denied one, the others return', async () => {
    const store = await storeOver(({ operation, body }) =>
      operation === 'GetParameters' || body['Name'] === '/token'
        ? denied(operation, '/token')
        : alone(String(body['Name'])),
    );
    for (let round = 1; round <= 2; round += 1) {
      const [record, token] = [store.find('/record'), failureOf(store.find('/token'))];
      expect(await record).toMatchObject({ value: 'value of /record' });
      expect(await token).toMatchObject({ kind: 'denied', source: 'SSM GetParameter /token' });
    }
    expect(operations()).toEqual({ GetParameters: 2, GetParameter: 4 });
  });

  test('stops its retries if the role may never make the call', async () => {
    const store = await storeOver(({ operation, body }) =>
      operation === 'GetParameters' ? denied(operation, '/lock') : alone(String(body['Name'])),
    );
    for (let round = 1; round <= 3; round += 1)
      expect(await Promise.all(['/lock', '/hold'].map((name) => store.find(name)))).toMatchObject([
        { value: 'value of /lock' },
        { value: 'value of /hold' },
      ]);
    expect(operations()).toEqual({ GetParameters: 1, GetParameter: 6 });
  });

  test('continues after a temporary refusal', async () => {
    const store = await storeOver(refusal('ThrottlingException'), {
      body: { InvalidParameters: ['/lock', '/hold'] },
    });
    expect(await Promise.all(['/lock', '/hold'].map((name) => store.find(name)))).toEqual([
      undefined,
      undefined,
    ]);
    expect(operations()).toEqual({ GetParameters: 2 });
  });
});

function operations(): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { operation } of server?.requests ?? [])
    counts[operation] = (counts[operation] ?? 0) + 1;
  return counts;
}
