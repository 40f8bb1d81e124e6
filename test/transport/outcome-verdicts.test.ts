import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { failureOf } from '../../src/adapters/transport/answers/outcome-failure.ts';
import { readShape } from '../../src/adapters/transport/answers/shape.ts';
import type { AttemptOutcome } from '../../src/adapters/transport/attempt.ts';
import { readNetworkError } from '../../src/adapters/transport/network-error.ts';
import { quote, readMessage } from '../../src/adapters/transport/words/quote.ts';
import { createRedactor } from '../../src/adapters/transport/words/redaction.ts';

const answered = (status: number, headers: Record<string, string> = {}, body = '') => ({
  status,
  headers: new Headers(headers),
  body,
});

describe('a network error', () => {
  const coded = (code: string, message = '') => Object.assign(new Error(message), { code });
  const wrapped = (cause: unknown) => new TypeError('fetch failed', { cause });

  test.each<[string, unknown, string, 'no' | 'unknown']>([
    ['one address refuses', wrapped(coded('ECONNREFUSED')), 'fetch failed (ECONNREFUSED)', 'no'],
    [
      'each address refuses',
      wrapped(new AggregateError([coded('ECONNREFUSED', 'a'), coded('EHOSTUNREACH', 'b')])),
      'b (ECONNREFUSED)',
      'no',
    ],
    [
      'one address refuses and another one breaks off',
      wrapped(new AggregateError([coded('ECONNREFUSED', 'a'), coded('ECONNRESET', 'b')])),
      'b (ECONNREFUSED)',
      'unknown',
    ],
    ['the cause is missing', wrapped(undefined), 'fetch failed', 'unknown'],
    ['only the code is present', coded('EPIPE', 'EPIPE'), 'EPIPE', 'unknown'],
    ['the error is empty', coded('EPIPE'), 'EPIPE', 'unknown'],
    ['the value is not an error', 'a text', 'a text', 'unknown'],
    ['the value is undefined', null, 'null', 'unknown'],
    ['the code is not a string', Object.assign(new Error('odd'), { code: 7 }), 'odd', 'unknown'],
    ['the message is not a string', { message: 7, code: 'EPIPE' }, 'EPIPE', 'unknown'],
  ])('gets its verdict and text from the cause: %s', (_, error, words, sent) => {
    const unreached = sent === 'no';
    expect(readNetworkError(error)).toEqual({ words, sent, unreached, passing: true });
  });

  test('ends even if its causes form a circle', () => {
    const error = new Error('round');
    error.cause = error;
    expect(readNetworkError(error)).toMatchObject({ words: 'round', sent: 'unknown' });
  });

  test.each([
    ['CERT_HAS_EXPIRED', undefined],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'untrusted_certificate'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'untrusted_certificate'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'untrusted_certificate'],
    ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'untrusted_certificate'],
  ] as const)('counts a certificate error as not sent: %s (lasting: %s)', (code, lasting) => {
    const words = `the certificate (${code})`;
    const error = wrapped(coded(code, 'the certificate'));
    const unreached = false;
    const passing = false;
    expect(readNetworkError(error)).toEqual({ words, sent: 'no', unreached, passing, lasting });
  });

  test.each([
    ['ENOTFOUND', 'unknown_name'],
    ['EAI_AGAIN', undefined],
    ['ECONNREFUSED', undefined],
  ] as const)('counts %s as lasting until an operator acts: %s', (code, lasting) => {
    expect(readNetworkError(wrapped(coded(code, 'words'))).lasting).toBe(lasting);
    const failed = failureOf(
      { kind: 'failed', error: readNetworkError(wrapped(coded(code, 'words'))) },
      { method: 'GET', url: new URL('https://gitlab.example.com/api'), source: 'GitLab' },
      { redactor: createRedactor(), reason: '' },
    );
    expect(failed).toMatchObject({ kind: 'unreachable', lasting });
  });
});

describe('a failed call', () => {
  const redactor = createRedactor();
  const url = new URL('https://gitlab.example.com/api');
  const createFailure = (outcome: AttemptOutcome, method = 'POST') =>
    failureOf(outcome, { method, url, source: 'GitLab' }, { redactor, reason: '' });

  test.each<[AttemptOutcome, string, string, string]>([
    [{ kind: 'timeout' }, 'unreachable', 'unknown', 'no response from gitlab.example.com in time'],
    [{ kind: 'cancelled' }, 'unreachable', 'unknown', 'canceled before the response'],
    [{ kind: 'too_large', status: 200 }, 'unexpected', 'unknown', 'the response is too large'],
    [
      { kind: 'answer', answer: answered(300, { location: 'https://evil.example/?token=1' }) },
      'refused',
      'none',
      'answered 300, a redirect to https://evil.example, which hosted-runner does not follow: the URL is wrong',
    ],
    [
      { kind: 'answer', answer: answered(303, { location: 'http://[' }) },
      'refused',
      'unknown',
      'answered 303, a redirect to nowhere, which hosted-runner does not follow: the URL is wrong',
    ],
    [{ kind: 'answer', answer: answered(502, {}, '  ') }, 'unavailable', 'unknown', 'answered 502'],
    [{ kind: 'answer', answer: answered(429) }, 'throttled', 'none', 'answered 429'],
  ])('reports whether a write may have happened: %j', (outcome, kind, effect, detail) => {
    expect(createFailure(outcome)).toMatchObject({ kind, effect, detail });
    expect(createFailure(outcome, 'GET')).toMatchObject({ kind, effect: 'none', detail });
  });

  test.each([
    ['{"message":"403 Forbidden"}', '403 Forbidden'],
    ['{"message":{"name":["is too long","is odd"],"base":["no"]}}', 'name is too long, is odd, no'],
    ['{"error":"insufficient_scope","scope":"api"}', 'insufficient_scope: scope: api'],
    ['{"error":404}', '404'],
    ['{"error":null,"message":"m"}', 'm'],
    ['{}', '{}'],
    ['[]', '[]'],
    ['<html><head><title class="a"> Sign in </title></head><body>b</body></html>', 'Sign in'],
    ['<p>Bad <b>Gateway</b></p>', 'Bad Gateway'],
  ])('quotes the text of the response body: %s', (body, words) => {
    expect(quote(readMessage(body), redactor)).toBe(words);
  });

  test('names the field of a wrong shape, never a whole object that may hold a token', () => {
    const origin = { source: 'GitLab', effect: 'none', redactor } as const;
    const schema = z.object({ runner: z.object({ id: z.number() }), tags: z.array(z.string()) });
    const refused = (value: unknown) => {
      try {
        readShape(schema, value, origin);
        return 'read';
      } catch (error) {
        return (error as Error).message.replace(/, which.*/, '');
      }
    };
    expect(readShape(schema, { runner: { id: 7 }, tags: ['linux'] }, origin)).toEqual({
      runner: { id: 7 },
      tags: ['linux'],
    });
    const secret = 'of-a-kind-that-nobody-knows';
    expect(refused({ runner: { id: { secret } }, tags: [] })).toBe(
      'GitLab: runner.id is an object',
    );
    expect(refused({ runner: { id: [secret] }, tags: [] })).toBe('GitLab: runner.id is a list');
    expect(refused({ runner: {}, tags: [] })).toBe('GitLab: runner.id is missing');
    expect(refused({ runner: null, tags: [] })).toBe('GitLab: runner is null');
    expect(refused({ runner: 'linux', tags: [] })).toBe('GitLab: runner is "linux"');
    expect(refused(undefined)).toBe('GitLab: the response is missing');
    expect(refused([secret])).toBe('GitLab: the response is a list');
    expect(refused({ runner: { id: 'x'.repeat(80) }, tags: [] })).toBe(
      `GitLab: runner.id is "${'x'.repeat(59)}…`,
    );
  });
});
