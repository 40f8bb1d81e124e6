import { describe, expect, test } from '@jest/globals';
import { createCallBudget } from '../../src/adapters/transport/budget.ts';
import type { TransportRequest } from '../../src/adapters/transport/request.ts';
import type { PortFailure } from '../../src/ports/failure.ts';
import { failureOf } from '../support/failure-of.ts';
import {
  type Answer,
  createFakeServer,
  createTestTransport,
  json,
  networkError,
} from './fake-server.ts';
import { createVirtualClock } from './virtual-clock.ts';

const read: TransportRequest = {
  method: 'GET',
  url: new URL('https://gitlab.example.com/api/v4/runners/48213'),
  source: 'GitLab GET /runners/48213',
};
const write: TransportRequest = {
  method: 'POST',
  url: new URL('https://gitlab.example.com/api/v4/user/runners'),
  source: 'GitLab POST /user/runners',
  body: '{"runner_type":"group_type"}',
};

const ok = json(200, { id: 1 });
const busy = new Response('', { status: 503 });
const refused = networkError('ECONNREFUSED', 'connect ECONNREFUSED 10.0.0.1:443');
const reset = networkError('ECONNRESET', 'read ECONNRESET');

const badCertificate = networkError('CERT_HAS_EXPIRED');

function lost(kind: PortFailure['kind']): Partial<PortFailure> {
  return { kind, effect: 'unknown' };
}

describe('retries', () => {
  const repeated: [string, TransportRequest, Answer][] = [
    ['a read after 500', read, new Response('', { status: 500 })],
    ['a read after 502', read, new Response('', { status: 502 })],
    ['a read after 429', read, new Response('Retry later', { status: 429 })],
    ['a read after a reset', read, reset],
    ['a read after a refused connection', read, refused],
    ['a read without a response', read, 'silence'],
    ['a write after 429', write, new Response('Retry later', { status: 429 })],
    ['a write after a refused connection', write, refused],
    ['a write after a name that does not resolve', write, networkError('ENOTFOUND')],
    ['a call that is marked repeatable', { ...write, repeatable: true }, busy],
  ];
  test.each(repeated)('send %s again', async (_, request, first) => {
    const server = createFakeServer(first, ok);
    const { transport } = createTestTransport(server.fetch);
    await expect(transport(request)).resolves.toMatchObject({ status: 200, body: '{"id":1}' });
    expect(server.requests).toHaveLength(2);
  });

  const once: [string, TransportRequest, Answer, Partial<PortFailure>][] = [
    ['a write after 500', write, new Response('', { status: 500 }), lost('unavailable')],
    ['a write after 502', write, new Response('', { status: 502 }), lost('unavailable')],
    ['a write after a reset', write, reset, lost('unreachable')],
    ['a write without a response', write, 'silence', lost('unreachable')],
    ['a read with a bad certificate', read, badCertificate, { effect: 'none' }],
    ['a write with a bad certificate', write, badCertificate, { effect: 'none' }],
  ];
  test.each(once)('send %s exactly once', async (_, request, first, expected) => {
    const server = createFakeServer(first, ok);
    const { transport } = createTestTransport(server.fetch);
    await expect(transport(request)).rejects.toMatchObject(expected);
    expect(server.requests).toHaveLength(1);
  });

  test.each([400, 401, 403, 404, 409, 412, 422])(
    'return a response with the status %d to the caller',
    async (status) => {
      const server = createFakeServer(json(status, { message: 'no' }));
      const { transport } = createTestTransport(server.fetch);
      await expect(transport(read)).resolves.toMatchObject({ status });
      expect(server.requests).toHaveLength(1);
    },
  );

  test('wait between zero and the doubled step, at random', async () => {
    const low = createTestTransport(createFakeServer(busy).fetch, { fraction: 0 });
    await failureOf(low.transport(read));
    expect(low.clock.slept).toEqual([0, 0, 0, 0, 0, 0]);
    const high = createTestTransport(createFakeServer(busy).fetch, { fraction: 0.999 });
    await failureOf(high.transport(read));
    expect(high.clock.slept).toEqual([499, 999, 1998, 3996, 7992, 15984]);
  });

  test('report the number of attempts', async () => {
    const { transport } = createTestTransport(createFakeServer(busy).fetch);
    const error = await failureOf(transport(read));
    expect(error.message).toBe('GitLab GET /runners/48213: answered 503 (7 attempts)');
    expect(error).toMatchObject({ kind: 'unavailable', effect: 'none', status: 503 });
  });

  test('end within the time of one call', async () => {
    const { transport, clock } = createTestTransport(createFakeServer('silence').fetch);
    const error = await failureOf(transport(read));
    expect(error.kind).toBe('unreachable');
    expect(clock.elapsed()).toBeLessThanOrEqual(180_000);
  });

  test('share one budget between all calls, which success refills', async () => {
    const budget = createCallBudget({
      clock: createVirtualClock(),
      limits: { repetitions: 2, restoredPerSuccess: 1 },
    });
    const down = createTestTransport(createFakeServer(busy).fetch, { budget });
    const up = createTestTransport(createFakeServer(ok).fetch, { budget });
    const recovering = createTestTransport(createFakeServer(busy, ok).fetch, { budget });
    expect((await failureOf(down.transport(read))).detail).toBe(
      'answered 503 (no retries left in this run)',
    );
    await expect(recovering.transport(read)).rejects.toMatchObject({ kind: 'unavailable' });
    await up.transport(read);
    const server = createFakeServer(busy, ok);
    const again = createTestTransport(server.fetch, { budget });
    await expect(again.transport(read)).resolves.toMatchObject({ status: 200 });
  });
});

describe('the refusals of the transport', () => {
  test.each([301, 302, 303, 307, 308])('include a redirect (%d)', async (status) => {
    const location = 'https://evil.example/login?token=abc';
    const server = createFakeServer(new Response('', { status, headers: { location } }));
    const { transport } = createTestTransport(server.fetch);
    const error = await failureOf(transport(read));
    expect(error.detail).toBe(
      `answered ${status}, a redirect to https://evil.example, which hosted-runner does not follow: the URL is wrong`,
    );
    expect(error).toMatchObject({ kind: 'refused', effect: 'none', status });
    expect(server.requests).toHaveLength(1);
  });

  const addresses: [string, string][] = [
    [
      'http://gitlab.example.com/api',
      'the URL of gitlab.example.com is not https; http is allowed for loopback addresses only',
    ],
    [
      'http://127.0.0.1.evil.example/',
      'the URL of 127.0.0.1.evil.example is not https; http is allowed for loopback addresses only',
    ],
    ['ftp://gitlab.example.com/', 'the URL begins with ftp: instead of https:'],
    [
      'https://:secret@gitlab.example.com/',
      'the URL contains a user name or password; credentials come from the environment only',
    ],
    [
      'https://me@gitlab.example.com/',
      'the URL contains a user name or password; credentials come from the environment only',
    ],
  ];
  test.each(addresses)('include %s', async (url, detail) => {
    const server = createFakeServer(ok);
    const { transport } = createTestTransport(server.fetch);
    const error = await failureOf(transport({ ...read, url: new URL(url) }));
    expect(error).toMatchObject({ kind: 'refused', effect: 'none', detail });
    expect(server.requests).toEqual([]);
  });

  test.each(['http://localhost:8080/', 'http://127.0.0.1:1/', 'http://[::1]:1/'])(
    'exclude %s',
    async (url) => {
      const { transport } = createTestTransport(createFakeServer(ok).fetch);
      await expect(transport({ ...read, url: new URL(url) })).resolves.toMatchObject({
        status: 200,
      });
    },
  );

  test('include a response above the size limit', async () => {
    const server = createFakeServer(new Response('x'.repeat(1001)));
    const { transport } = createTestTransport(server.fetch, { limits: { maxAnswerBytes: 1000 } });
    await expect(transport(read)).rejects.toMatchObject({
      kind: 'unexpected',
      detail: 'the response is too large',
    });
    await expect(transport(write)).rejects.toMatchObject({ effect: 'unknown' });
  });
});

describe('quotes of responses', () => {
  test('show masked secrets, on one clean line', async () => {
    const body = '{"message":"bad token glpat-abcdefghij0123456789\\n::error::\\u001b[31mred"}';
    const server = createFakeServer(new Response(body, { status: 500 }));
    const { transport, redactor } = createTestTransport(server.fetch);
    redactor.add('opensesame');
    const error = await failureOf(transport(write));
    expect(error.detail).toBe('answered 500: bad token [MASKED] red');
  });
});

describe('a read-only GitLab or GitHub', () => {
  const maintenance = json(403, {
    message: 'You cannot perform write operations on a read-only instance',
  });
  const organization = json(
    503,
    {
      message:
        'This organization is currently in read-only mode. Write operations are temporarily disabled.',
    },
    { 'retry-after': '60' },
  );

  test.each([
    ['an instance', maintenance, 403, 30_000],
    ['an organization', organization, 503, 60_000],
  ])(
    'fails a write to %s at once, with the time of the next attempt',
    async (_, answer, status, againInMs) => {
      const server = createFakeServer(answer, ok);
      const { transport, clock } = createTestTransport(server.fetch);
      const refused = { kind: 'read_only', effect: 'none', status, againInMs };
      expect(await failureOf(transport(write))).toMatchObject(refused);
      expect([server.requests.length, clock.elapsed()]).toEqual([1, 0]);
    },
  );

  test('differs from any other 403', async () => {
    const server = createFakeServer(json(403, { message: '403 Forbidden' }));
    const { transport } = createTestTransport(server.fetch);
    await expect(transport(write)).resolves.toMatchObject({ status: 403 });
  });
});
