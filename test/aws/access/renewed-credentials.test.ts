import { describe, expect, test } from '@jest/globals';
import {
  type AwsCredentials,
  createRenewed,
  withCredentials,
} from '../../../src/adapters/aws/aws-credentials.ts';
import { PortFailure } from '../../../src/ports/failure.ts';
import { failureOf } from '../../support/failure-of.ts';

const minuteMs = 60_000;
const refused = new PortFailure({
  kind: 'unauthenticated',
  effect: 'none',
  source: 'STS AssumeRoleWithWebIdentity',
  detail: 'ExpiredTokenException',
});

/** Sessions of an hour, as long as the CI gives tokens. */
function renewed() {
  let now = Date.parse('2026-11-02T08:00:00Z');
  const startedAt = now;
  let taken = 0;
  let givesTokens = true;
  const credentials = createRenewed({
    clock: { now: () => now },
    assume: async () => {
      if (!givesTokens) throw refused;
      taken += 1;
      const [accessKeyId, secretAccessKey] = [`ASIA${taken}`, 'secret'];
      return { accessKeyId, secretAccessKey, sessionToken: 't', expiresAtMs: now + 60 * minuteMs };
    },
  });
  const key = async () =>
    (await (credentials.provide as NonNullable<AwsCredentials['provide']>)()).accessKeyId;
  return {
    credentials,
    key,
    pass: (minutes: number) => {
      now += minutes * minuteMs;
    },
    end: () => {
      givesTokens = false;
    },
    begin: () => {
      givesTokens = true;
    },
    minutesUntil: (at: number | undefined) => at && (at - startedAt) / minuteMs,
  };
}

describe('a role that is taken with a token of the CI', () => {
  test('is kept for half of its time, and then taken again, for hours', async () => {
    const { key, pass, credentials } = renewed();
    const keys: string[] = [];
    for (let minutes = 0; minutes < 6 * 60; minutes += 20) {
      keys.push(await key());
      pass(20);
    }
    expect(keys.slice(0, 6)).toEqual(['ASIA1', 'ASIA1', 'ASIA2', 'ASIA2', 'ASIA3', 'ASIA3']);
    expect(credentials.endsAt()).toBeUndefined();
  });

  test('is taken once for all who ask at the same time', async () => {
    const { key } = renewed();
    expect(await Promise.all([key(), key(), key()])).toEqual(['ASIA1', 'ASIA1', 'ASIA1']);
  });

  test('whose CI gives no more tokens is used until it ends, and its end is known by half of its time', async () => {
    const { key, pass, credentials, end, minutesUntil } = renewed();
    await key();
    end();
    pass(29);
    await key();
    expect(credentials.endsAt()).toBeUndefined();
    pass(2);
    expect(await key()).toBe('ASIA1');
    expect(minutesUntil(credentials.endsAt())).toBe(60);
    pass(29);
    expect(await failureOf(key())).toMatchObject({ kind: 'unauthenticated' });
  });

  test('is taken again as soon as there are tokens again, and then has no end', async () => {
    const { key, pass, credentials, end, begin } = renewed();
    await key();
    end();
    pass(31);
    await key();
    begin();
    expect(await key()).toBe('ASIA1');
    pass(1);
    expect(await key()).toBe('ASIA2');
    expect(credentials.endsAt()).toBeUndefined();
  });

  test('is what programs that we start are given, in its newest form', async () => {
    const { key, pass, credentials } = renewed();
    const given = { PATH: '/bin', AWS_ACCESS_KEY_ID: 'AKIAOLD' };
    expect(withCredentials(given, credentials)).toEqual(given);
    await key();
    pass(31);
    await key();
    expect(withCredentials(given, credentials)).toEqual({
      PATH: '/bin',
      AWS_ACCESS_KEY_ID: 'ASIA2',
      AWS_SECRET_ACCESS_KEY: 'secret',
      AWS_SESSION_TOKEN: 't',
    });
  });
});
