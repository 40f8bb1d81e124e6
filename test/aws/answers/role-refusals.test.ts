import { afterEach, describe, expect, test } from '@jest/globals';
import { createAwsCredentials } from '../../../src/adapters/aws/aws-credentials.ts';
import { fromPortFailure } from '../../../src/errors/external-errors.ts';
import { failureOf } from '../../support/failure-of.ts';
import { createVirtualClock } from '../../transport/virtual-clock.ts';
import { openCloud, optionsAt } from '../cloud.ts';
import { again, keysRefused, noResponse, type Outcome, outage, rate, refused } from './outcomes.ts';
import { type Refusal, type RefusingAws, startRefusingAws } from './refusing-aws.ts';

const role = 'arn:aws:iam::123456789012:role/deploy';
let aws: RefusingAws | undefined;
afterEach(() => aws?.close());

const roleRefused: Outcome = {
  error: 'RoleRefused',
  exitCode: 1,
  effect: 'none',
  sent: 'once',
  fix: /./,
};
const noKeys = "Couldn't retrieve verification key from your identity provider";
const sts: readonly (readonly [Refusal | 'lost', Outcome])[] = [
  [{ status: 403, code: 'AccessDenied' }, roleRefused],
  [{ status: 403, code: 'IDPRejectedClaim' }, roleRefused],
  [{ status: 400, code: 'InvalidIdentityToken' }, roleRefused],
  [{ status: 403, code: 'RegionDisabledException' }, roleRefused],
  [
    { status: 400, code: 'InvalidIdentityToken', message: noKeys },
    { ...outage, sent: 'again' },
  ],
  [
    { status: 400, code: 'IDPCommunicationError' },
    { ...outage, sent: 'again' },
  ],
  [{ status: 400, code: 'ExpiredTokenException' }, keysRefused],
  [{ status: 400, code: 'MalformedPolicyDocument' }, refused],
  [{ status: 400, code: 'PackedPolicyTooLarge' }, refused],
  [{ status: 400, code: 'ValidationError' }, refused],
  [{ status: 400, code: 'Throttling' }, rate],
  [{ status: 429, code: 'AnUnknownCode' }, rate],
  [
    { status: 400, code: 'RequestTimeout' },
    { ...outage, sent: 'again' },
  ],
  [
    { status: 500, code: 'InternalFailure' },
    { ...outage, sent: 'again' },
  ],
  [
    { status: 503, code: 'ServiceUnavailable' },
    { ...outage, sent: 'again' },
  ],
  ['lost', { ...noResponse, sent: 'again' }],
];

describe('a role that STS refuses while a write waits for credentials', () => {
  test.each(
    sts.map(([given, outcome]) => ({
      given,
      what: given === 'lost' ? 'a lost response' : `${given.status} ${given.code}`,
      words: given === 'lost' ? '' : (given.message ?? ''),
      ...outcome,
    })),
  )('ends the write on $what $words with $error, exit $exitCode, sent $sent', async (row) => {
    aws = await startRefusingAws();
    aws.refuseWith(row.given);
    const options = optionsAt(aws.url, { clock: createVirtualClock() });
    const configuration = { endpoint: aws.url, region: 'eu-west-1' };
    const credentials = createAwsCredentials({
      ...options,
      configuration,
      environment: { HOSTED_RUNNER_AWS_ROLE: role },
      readIdToken: async () => 'header.claims.signature',
      keepSecret: () => {},
    });
    const { ssm } = openCloud({ ...options, credentials, configuration });
    const failure = await failureOf(
      ssm.send({
        what: 'DeleteParameter /x',
        effect: 'write',
        call: (client) => client.deleteParameter({ Name: '/x' }),
      }),
    );
    expect(failure.effect).toBe('none');
    const { code, exitCode, fix = [] } = fromPortFailure(failure, again).fields;
    expect({ code, exitCode }).toEqual({ code: row.error, exitCode: row.exitCode });
    expect(fix[0]).toMatch(row.fix);
    expect(fix.at(-1)).toContain(again);
    expect(new Set(aws.actions)).toEqual(new Set(['AssumeRoleWithWebIdentity']));
    expect(aws.actions.length > 1).toBe(row.sent === 'again');
  });
});
