import { expect, test } from '@jest/globals';
import { createAwsCredentials } from '../../../src/adapters/aws/aws-credentials.ts';
import { failureOf } from '../../support/failure-of.ts';
import { openCloud, optionsAt } from '../cloud.ts';
import { refusal, startFakeSsm } from '../fake-ssm.ts';

const ambient = (environment: Readonly<Record<string, string>>) =>
  createAwsCredentials({
    ...optionsAt('http://127.0.0.1:1'),
    environment,
    readIdToken: () => Promise.reject(new Error('nobody asks')),
    keepSecret: () => undefined,
  });

test('expired credentials are distinguished from credentials that were never valid', async () => {
  const credentials = ambient({});
  expect(credentials.provide).toBeUndefined();
  const expired = refusal('ExpiredTokenException');
  const server = await startFakeSsm(expired, { body: {} }, expired);
  const { ssm } = openCloud(optionsAt(server.url, { credentials }));
  const query = () =>
    ssm.send({
      what: 'DescribeParameters',
      effect: 'read',
      call: (client) => client.describeParameters({}),
    });
  expect(await failureOf(query())).toMatchObject({ kind: 'unauthenticated' });
  await query();
  expect(await failureOf(query())).toMatchObject({ kind: 'ended', effect: 'none' });
  ssm.close();
  await server.close();
});

test.each([
  [
    'known if the environment states it',
    { AWS_SESSION_TOKEN: 't', AWS_CREDENTIAL_EXPIRATION: '2026-11-02T09:00:00Z' },
    Date.parse('2026-11-02T09:00:00Z'),
  ],
  ['unknown for a session without a stated expiry', { AWS_SESSION_TOKEN: 't' }, undefined],
  [
    'absent for keys that never expire',
    { AWS_CREDENTIAL_EXPIRATION: '2026-11-02T09:00:00Z' },
    undefined,
  ],
])('the expiry of credentials from the environment: %s', (_, environment, end) => {
  expect(ambient(environment).endsAt()).toBe(end);
});
