import { describe, expect, test } from '@jest/globals';
import { createSignals } from '../../src/adapters/signals/http-signals.ts';
import type { PrometheusQuery } from '../../src/domain/settings.ts';
import {
  type Answer,
  createFakeServer,
  createTestTransport,
  json,
  networkError,
} from '../transport/fake-server.ts';

const query: PrometheusQuery = {
  query: 'max(errors) > 0',
  url: 'http://prometheus.example.com:9090/prom',
  above: 0.05,
  forMs: 0,
  use: 'required',
};
const question = { deployment: '101-5001', stack: 'linux', shard: 'purple' };

function open(answers: Answer[], environment: Record<string, string> = {}) {
  const server = createFakeServer(...answers);
  const { transport, redactor } = createTestTransport(server.fetch, { limits: { attempts: 1 } });
  return { ...server, redactor, signals: createSignals({ transport, redactor, environment }) };
}

const vector = (...values: readonly string[]) =>
  json(200, {
    status: 'success',
    data: {
      resultType: 'vector',
      result: values.map((value, index) => ({
        metric: { instance: `i-${index}` },
        value: [1_780_000_000.5, value],
      })),
    },
  });

describe('a Prometheus query', () => {
  test('goes unchanged to the path below the address, and returns its highest value', async () => {
    const { signals, requests } = open([vector('0.01', '0.2', 'NaN')]);
    expect(await signals.readMetric(query)).toEqual({
      highest: 0.2,
      series: '{instance="i-1"}',
      doubts: [],
    });
    expect(requests[0]?.url).toBe(
      'http://prometheus.example.com:9090/prom/api/v1/query?query=max%28errors%29+%3E+0',
    );
    expect(requests[0]?.headers.get('authorization')).toBeNull();
  });

  test.each<[string, Response]>([
    ['without a series', vector()],
    ['without a number', vector('NaN')],
  ])('returns no value: %s', async (_, answer) => {
    expect(await open([answer]).signals.readMetric(query)).toEqual({ doubts: [] });
  });

  test('may be one number, and infinite', async () => {
    const scalar = json(200, {
      status: 'success',
      data: { resultType: 'scalar', result: [1, '+Inf'] },
    });
    expect(await open([scalar]).signals.readMetric(query)).toMatchObject({
      highest: Number.POSITIVE_INFINITY,
    });
  });

  test('reports the warnings of its server', async () => {
    const partial = json(200, {
      status: 'success',
      warnings: ['a store did not answer'],
      data: { resultType: 'vector', result: [] },
    });
    expect(await open([partial]).signals.readMetric(query)).toEqual({
      doubts: ['a store did not answer'],
    });
  });

  test.each<[string, Answer, object]>([
    [
      'refused, with its text',
      json(400, { status: 'error', errorType: 'bad_data', error: 'parse error' }),
      { kind: 'refused', detail: 'parse error' },
    ],
    ['not allowed', json(401, {}), { kind: 'unauthenticated' }],
    ['without a response', networkError('ECONNREFUSED'), { kind: 'unreachable' }],
    ['answered by something else', new Response('<html>Sign in</html>'), { kind: 'unexpected' }],
    [
      'answered with a range',
      json(200, { status: 'success', data: { resultType: 'matrix', result: [] } }),
      { kind: 'unexpected' },
    ],
    [
      'sent on',
      new Response('', { status: 302, headers: { location: 'https://sso.example/' } }),
      { kind: 'refused' },
    ],
  ])('fails if it is %s', async (_, answer, failure) => {
    await expect(open([answer]).signals.readMetric(query)).rejects.toMatchObject(failure);
  });

  test('carries the token of the environment, but never over an unencrypted connection', async () => {
    const environment = { HOSTED_RUNNER_PROMETHEUS_TOKEN: 'shibboleth' };
    const secure = { ...query, url: 'https://prometheus.example.com' };
    const { signals, requests, redactor } = open([vector('1')], environment);
    await signals.readMetric(secure);
    expect(requests[0]?.headers.get('authorization')).toBe('Bearer shibboleth');
    expect(redactor.redact('it said shibboleth')).toBe('it said [MASKED]');
    await expect(signals.readMetric(query)).rejects.toMatchObject({
      detail: expect.stringContaining('http is allowed for loopback'),
    });
    expect(requests).toHaveLength(1);
  });

  test('sends a configured user with the password, which stay out of every log', async () => {
    const environment = {
      HOSTED_RUNNER_PROMETHEUS_USER: '4711',
      HOSTED_RUNNER_PROMETHEUS_TOKEN: 'shibboleth',
    };
    const { signals, requests, redactor } = open([vector('1')], environment);
    await signals.readMetric({ ...query, url: 'https://prometheus.example.com' });
    const basic = Buffer.from('4711:shibboleth').toString('base64');
    expect(requests[0]?.headers.get('authorization')).toBe(`Basic ${basic}`);
    expect(redactor.redact(basic)).toBe('[MASKED]');
  });
});

describe('a webhook', () => {
  const url = 'https://judge.example.com/runners';

  test('receives a POST with the question, and no secret', async () => {
    const { signals, requests } = open([json(200, { message: 'fine' })], {
      HOSTED_RUNNER_WEBHOOK_TOKEN: 'shibboleth',
      HOSTED_RUNNER_GITLAB_TOKEN: 'glpat-made-up-for-this-test',
    });
    expect(await signals.askWebhook(url, question)).toEqual({
      kind: 'good',
      detail: 'answered 200: fine',
    });
    expect(requests[0]?.method).toBe('POST');
    expect(await requests[0]?.text()).toBe(JSON.stringify(question));
    expect(requests[0]?.headers.get('authorization')).toBe('Bearer shibboleth');
  });

  test.each([
    [204, 'good'],
    [400, 'bad'],
    [404, 'bad'],
    [422, 'bad'],
    [401, 'unknown'],
    [403, 'unknown'],
    [407, 'unknown'],
  ])('counts, with the status %d, as %s', async (status, kind) => {
    const answer = status === 204 ? new Response(null, { status }) : json(status, {});
    expect((await open([answer]).signals.askWebhook(url, question)).kind).toBe(kind);
  });

  test.each<[string, Answer]>([
    ['breaks', json(500, {})],
    ['did not get the request in time', json(408, {})],
    ['is called too early', json(425, {})],
    ['is called too often', json(429, {})],
    ['does not respond', networkError('ECONNRESET')],
  ])('gives no verdict if it %s', async (_, answer) => {
    await expect(open([answer]).signals.askWebhook(url, question)).rejects.toHaveProperty('kind');
  });
});
