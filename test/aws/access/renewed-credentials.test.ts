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

/** Renews sessions of an hour while the CI provides tokens. */
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

describe('a role assumed with a token of the CI', () => {
  test('stays in use for half of its lifetime, and is then renewed, for hours', async () => {
    const { key, pass, credentials } = renewed();
    const keys: string[] = [];
    for (let minutes = 0; minutes < 6 * 60; minutes += 20) {
      keys.push(await key());
      pass(20);
    }
    expect(keys.slice(0, 6)).toEqual(['ASIA1', 'ASIA1', 'ASIA2', 'ASIA2', 'ASIA3', 'ASIA3']);
    expect(credentials.endsAt()).toBeUndefined();
  });

  test('causes one AssumeRole call for all concurrent requests', async () => {
    const { key } = renewed();
    expect(await Promise.all([key(), key(), key()])).toEqual(['ASIA1', 'ASIA1', 'ASIA1']);
  });

  test('stays in use until it expires without new CI tokens, with a known expiry from half-time on', async () => {
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

  test('receives new credentials as soon as tokens are available again, without a known expiry', async () => {
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

  test('reaches child processes in its newest form', async () => {
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
