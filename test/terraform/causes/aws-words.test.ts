import { describe, expect, test } from '@jest/globals';
import type { DeployError } from '../../../src/errors/deploy-error.ts';
import { errorOfApply } from '../failed-apply.ts';

function errorOf(summary: string): Error {
  return errorOfApply([{ summary, detail: '' }]);
}

/** Messages of an Auto Scaling group, which quote EC2's message without its code. */
const activities: readonly (readonly [string, string])[] = [
  [
    'TerraformCapacity',
    'waiting for Auto Scaling Group (pink-linux) capacity satisfied: scaling activity (1b): Failed: We currently do not have sufficient t3.large capacity in the Availability Zone you requested (us-east-1a). Our system will be working on provisioning additional capacity.',
  ],
  [
    'TerraformCapacity',
    'waiting for Auto Scaling Group (pink-linux) capacity satisfied: scaling activity (1b): Failed: There is no Spot capacity available that matches your request. Launching EC2 instance failed.',
  ],
  [
    'TerraformSubnetFull',
    'waiting for Auto Scaling Group (pink-linux) capacity satisfied: scaling activity (1b): Failed: There are not enough free addresses in subnet subnet-0abc to satisfy the requested number of instances. Launching EC2 instance failed.',
  ],
  [
    'TerraformQuota',
    'waiting for Auto Scaling Group (pink-linux) capacity satisfied: scaling activity (1b): Failed: You have requested more vCPU capacity than your current vCPU limit of 32 allows for the instance bucket that the specified instance type belongs to. Launching EC2 instance failed.',
  ],
  [
    'TerraformQuota',
    'waiting for Auto Scaling Group (pink-linux) capacity satisfied: scaling activity (1b): Failed: Max spot instance count exceeded. Launching EC2 instance failed.',
  ],
  [
    'TerraformCapacity',
    'waiting for Auto Scaling Group (pink-linux) capacity satisfied: scaling activity (1b): Failed: Your Spot request price of 0.01 is lower than the minimum required Spot request fulfillment price of 0.02. Launching EC2 instance failed.',
  ],
];

describe("Terraform's error text", () => {
  test.each(activities)('about a scaling activity causes %s: %s', (code, summary) => {
    expect((errorOf(summary) as DeployError).code).toBe(code);
  });

  test.each([
    'Error refreshing state: operation error S3: HeadObject, https response error StatusCode: 403, api error RequestTimeTooSkewed: The difference between the request time and the current time is too large.',
    'reading EC2 Instance (i-0abc): operation error EC2: DescribeInstances, api error RequestExpired: Request has expired.',
    'failed to refresh cached credentials, operation error STS: AssumeRole, https response error StatusCode: 403, api error SignatureDoesNotMatch: Signature expired: 20261128T101010Z is now earlier than 20261128T102010Z',
  ])('about a wrong clock names the clock: %s', (summary) => {
    const { code, fields } = errorOf(summary) as DeployError;
    expect(code).toBe('TerraformCredentials');
    expect(fields.what).toContain('AWS did not accept the time of its requests');
    expect(fields.fix?.[0]).toMatch(/^Correct the clock of the machine/);
  });

  test.each([
    [
      'operation error STS: AssumeRoleWithWebIdentity, api error InvalidIdentityToken: No OpenIDConnect provider found in your account for https://gitlab.example.com',
      /^Create an identity provider/,
    ],
    [
      'failed to refresh cached credentials, operation error STS: AssumeRole, https response error StatusCode: 403, RegionDisabledException: STS is not activated in this region for account:111122223333.',
      /^Activate STS for this Region/,
    ],
    [
      'operation error STS: AssumeRoleWithWebIdentity, InvalidIdentityToken: Incorrect token audience',
      /^Compare the role's trust policy/,
    ],
  ])('about a refused role names the change that the role needs: %s', (summary, fix) => {
    const { code, fields } = errorOf(summary) as DeployError;
    expect(code).toBe('TerraformRoleRefused');
    expect(fields.fix?.[0]).toMatch(fix);
  });
});
