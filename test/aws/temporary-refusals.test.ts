import { afterEach, describe, expect, test } from '@jest/globals';
import { toAwsFailure } from '../../src/adapters/aws/aws-failure.ts';
import { createParameterStore } from '../../src/adapters/aws/state-store/parameter-store.ts';
import { fromPortFailure } from '../../src/errors/external-errors.ts';
import { createVirtualClock } from '../transport/virtual-clock.ts';
import { type FakeSsm, refusal, startFakeSsm } from './fake-ssm.ts';
import { connect } from './sandbox-aws.ts';

const name = '/gitlab/dedicated/runner/linux/deployment_record';
const keys = "Couldn't retrieve verification key from your identity provider";
let server: FakeSsm | undefined;
afterEach(() => server?.close());

/** Codes that botocore lists in retries/standard.py, ThrottledRetryableChecker. */
const throttles = [
  'BandwidthLimitExceeded',
  'EC2ThrottledException',
  'LimitExceededException',
  'PriorRequestNotComplete',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'RequestThrottled',
  'RequestThrottledException',
  'SlowDown',
  'ThrottledException',
  'Throttling',
  'ThrottlingException',
  'TooManyRequestsException',
  'TooManyUpdates',
  'TransactionInProgressException',
];

test.each(throttles)(
  'a request that AWS throttles with %s is sent again, even a write',
  async (code) => {
    server = await startFakeSsm(refusal(code), { body: { Version: 3 } });
    const ssm = connect(server.url, { clock: createVirtualClock(), requestTimeoutMs: 60_000 });
    const store = createParameterStore({ ssm });
    expect(await store.overwrite({ name, value: '{}' })).toEqual({ version: 3 });
    expect(server.requests).toHaveLength(2);
  },
);

const toFailure = (error: object, effect: 'read' | 'write' = 'write') =>
  toAwsFailure(error, { source: 'STS AssumeRoleWithWebIdentity', effect, redact: (text) => text });
const typed = (code: string, message: string, more: object = {}) =>
  Object.assign(new Error(message), {
    name: code,
    $fault: 'client',
    $metadata: { httpStatusCode: 400 },
    ...more,
  });

describe('a temporary refusal', () => {
  test.each([
    ['InvalidIdentityToken', keys],
    ['InvalidIdentityTokenException', keys],
    ['IDPCommunicationError', 'Unable to contact the identity provider'],
    ['IDPCommunicationErrorException', 'Unable to contact the identity provider'],
  ])('includes %s of STS, which does not reach the keys of the issuer', (code, message) => {
    const failure = toFailure(typed(code, message));
    expect(failure).toMatchObject({ kind: 'unavailable', effect: 'none' });
    expect(failure.detail).toContain('STS cannot reach the keys of the issuer');
    expect(fromPortFailure(failure, 'hosted-runner prepare').exitCode).toBe(75);
  });

  test.each([
    ['InvalidSignatureException', 'Signature expired: 20261128T101010Z is now earlier than'],
    ['SignatureDoesNotMatch', 'Signature not yet current: 20261128T101010Z is still later than'],
    ['RequestExpired', 'Request has expired.'],
    ['RequestTimeTooSkewed', 'The difference is too large.'],
  ])('includes %s once the SDK has corrected the clock', (code, message) => {
    const $metadata = { httpStatusCode: 403, clockSkewCorrected: true };
    expect(toFailure(typed(code, message, { $metadata }))).toMatchObject({
      kind: 'unavailable',
      effect: 'none',
    });
  });

  test.each([
    ['CredentialsProviderError', 'Server responded with status: 503'],
    ['CredentialsProviderError', 'Server responded with status: 429'],
    ['CredentialsProviderError', 'TooManyRequestsException: Rate exceeded'],
    ['CredentialsProviderError', 'TimeoutError: socket hang up'],
    ['TokenProviderError', 'GitHub gave no identity token: Error Code : 503\n Error Message: x'],
  ])('includes %s "%s" of the endpoint that gives credentials', (provider, message) => {
    const error = Object.assign(new Error(message), { name: provider });
    expect(toFailure(error)).toMatchObject({ kind: 'unavailable', effect: 'none' });
  });
});

describe('a permanent refusal', () => {
  test.each([
    ['SignatureDoesNotMatch', 'The request signature we calculated does not match'],
    ['ExpiredTokenException', 'Token expired'],
  ])('includes %s "%s"', (code, message) => {
    expect(toFailure(typed(code, message))).toMatchObject({
      kind: 'unauthenticated',
      effect: 'none',
    });
  });

  test.each([
    ['CredentialsProviderError', 'Server responded with status: 404'],
    ['CredentialsProviderError', 'Could not load credentials from any providers'],
    ['TokenProviderError', 'GitHub gave no identity token: Error Code : 401'],
  ])('includes %s "%s" of the endpoint that gives credentials', (provider, message) => {
    const error = Object.assign(new Error(message), { name: provider });
    expect(toFailure(error)).toMatchObject({ kind: 'unauthenticated', effect: 'none' });
  });
});

describe('a request whose time AWS does not accept', () => {
  const status = { $metadata: { httpStatusCode: 403 } };
  const errorOf = (code: string, message: string) =>
    fromPortFailure(toFailure(typed(code, message, status)), 'hosted-runner prepare').fields;

  test.each([
    [
      'RequestTimeTooSkewed',
      'The difference between the request time and the current time is too large.',
    ],
    ['RequestInTheFuture', 'The request is dated in the future.'],
    [
      'InvalidSignatureException',
      'Signature not yet current: 20261128T101010Z is still later than',
    ],
    ['SignatureDoesNotMatch', 'Signature expired: 20261128T101010Z is now earlier than'],
  ])('causes an error about the clock, not about a permission or key, with %s', (code, message) => {
    const { code: errorCode, exitCode, what, fix = [] } = errorOf(code, message);
    expect([errorCode, exitCode]).toEqual(['CredentialsRefused', 1]);
    expect(what).toBe('STS AssumeRoleWithWebIdentity: the time of the request was not accepted.');
    expect(fix[0]).toMatch(/^Correct the clock of the machine/);
    expect(fix.join(' ')).not.toMatch(/Grant|[Rr]enew/);
  });

  test('names the clock first, then expired credentials, with RequestExpired', () => {
    const { fix = [] } = errorOf('RequestExpired', 'Request has expired.');
    expect(fix[0]).toMatch(/^Correct the clock of the machine/);
    expect(fix[1]).toMatch(/^If the clock is right: Renew the AWS credentials/);
  });

  test('counts as expired credentials if AWS accepted them before RequestExpired', () => {
    const failure = toAwsFailure(typed('RequestExpired', 'Request has expired.', status), {
      source: 'EC2 DescribeInstances',
      effect: 'read',
      redact: (text) => text,
      wereAccepted: true,
    });
    expect(fromPortFailure(failure, 'hosted-runner drain').code).toBe('CredentialsEnded');
  });
});
