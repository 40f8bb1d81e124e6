import { describe, expect, test } from '@jest/globals';
import type { DeployError } from '../../../src/errors/deploy-error.ts';
import { isPortFailure } from '../../../src/ports/failure.ts';
import { errorOfApply } from '../failed-apply.ts';

function errorOf(summaries: readonly string[]): Error {
  return errorOfApply(summaries.map((summary) => ({ summary, detail: '' })));
}

describe("Terraform's error text", () => {
  /** A wait alone ends these errors, and no others of Terraform. */
  test.each([
    [
      'TerraformThrottled',
      'creating EC2 Instance: operation error EC2: RunInstances, exceeded maximum number of attempts, 25, https response error StatusCode: 503, RequestID: X, api error RequestLimitExceeded: Request limit exceeded. Account 111122223333 has been throttled on ec2:RunInstances because it exceeded its request rate limit.',
    ],
    [
      'TerraformThrottled',
      'reading IAM Role (purple-linux): operation error IAM: GetRole, https response error StatusCode: 400, RequestID: X, api error Throttling: Rate exceeded',
    ],
    [
      'TerraformThrottled',
      'creating CloudWatch Logs Log Group: operation error CloudWatch Logs: CreateLogGroup, https response error StatusCode: 400, api error ThrottlingException: Rate exceeded',
    ],
    [
      'TerraformThrottled',
      'operation error EC2: DescribeInstances, api error EC2ThrottledException: too many requests',
    ],
    [
      'TerraformThrottled',
      'waiting for Auto Scaling Group (pink-linux) capacity satisfied: scaling activity (1b): Failed: Rate exceeded. Launching EC2 instance failed.',
    ],
    [
      'TerraformThrottled',
      'deleting IAM Role (pink-linux): operation error IAM: DeleteRole, https response error StatusCode: 409, api error ConcurrentModification: Multiple concurrent requests to change this object',
    ],
    [
      'TerraformThrottled',
      'putting SSM Parameter: operation error SSM: PutParameter, https response error StatusCode: 400, api error TooManyUpdates: There are concurrent updates for a resource',
    ],
    ['TerraformThrottled', 'HTTP remote state endpoint: HTTP error: 429'],
    [
      'TerraformThrottled',
      'Failed to get existing workspaces: googleapi: Error 429: rateLimitExceeded',
    ],
    [
      'TerraformIssuerUnreachable',
      "validating provider credentials: retrieving caller identity from STS: operation error STS: GetCallerIdentity, get identity: get credentials: failed to refresh cached credentials, operation error STS: AssumeRoleWithWebIdentity, https response error StatusCode: 400, api error InvalidIdentityToken: Couldn't retrieve verification key from your identity provider, please reference AssumeRoleWithWebIdentity documentation for requirements",
    ],
    [
      'TerraformIssuerUnreachable',
      'operation error STS: AssumeRoleWithWebIdentity, https response error StatusCode: 400, api error IDPCommunicationError: The request could not be fulfilled because the identity provider could not be reached',
    ],
  ])('causes %s, which exits 75: %s', (code, summary) => {
    const error = errorOf([summary]) as DeployError;
    expect([error.code, error.exitCode]).toEqual([code, 75]);
  });

  test('causes exit 75 if one error is throttled and another has no response of the issuer', () => {
    const both = ['api error Throttling: Rate exceeded', 'api error IDPCommunicationError: x'];
    expect(errorOf(both)).toMatchObject({ code: 'TerraformThrottled', exitCode: 75 });
  });

  test.each([
    ['UnauthorizedOperation: You are not authorized', 'TerraformDenied'],
    ['VcpuLimitExceeded: You have requested more', 'TerraformQuota'],
    ['an unknown error', undefined],
  ])('does not cause exit 75 if one error is throttled and another is %s', (other, code) => {
    const both = errorOf(['api error Throttling: Rate exceeded', other]);
    if (code === undefined) expect(isPortFailure(both) && both.kind).toBe('refused');
    else expect(both).toMatchObject({ code, exitCode: 1 });
  });

  test('names a trust policy, and no action to grant, if STS refuses a web identity', () => {
    const { fields } = errorOf([
      'api error AccessDenied: Not authorized to perform sts:AssumeRoleWithWebIdentity',
    ]) as DeployError;
    expect(fields.fix?.[0]).toMatch(/^Compare the role's trust policy with the token/);
  });
});
