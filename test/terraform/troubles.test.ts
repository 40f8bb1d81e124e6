import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { initialisedWorkplace } from '../../src/adapters/terraform/workplace.ts';
import type { DeployError } from '../../src/errors/deploy-error.ts';
import { isPortFailure } from '../../src/ports/failure.ts';
import { stackShard } from '../contract/runner-host.contract.ts';
import { errorOfApply, options } from './failed-apply.ts';
import { usual } from './workshop.ts';

function errorOf(summary: string, detail = '', touched = true): Error {
  return errorOfApply([{ summary, detail }], { touched });
}

/** Texts of Terraform 1.11, its S3 backend and the AWS provider 5.100. */
const texts: readonly (readonly [string, string, string?])[] = [
  [
    'TerraformCredentials',
    'validating provider credentials: retrieving caller identity from STS: operation error STS: GetCallerIdentity, https response error StatusCode: 403, api error ExpiredToken: The security token included in the request is expired',
  ],
  [
    'TerraformCredentials',
    'No valid credential sources found',
    'failed to refresh cached credentials, no EC2 IMDS role found',
  ],
  [
    'TerraformCredentials',
    'reading EC2 Instance (i-0abc): operation error EC2: DescribeInstances, https response error StatusCode: 400, api error RequestExpired: Request has expired.',
  ],
  [
    'TerraformDenied',
    'creating EC2 Instance: operation error EC2: RunInstances, https response error StatusCode: 403, api error UnauthorizedOperation: You are not authorized to perform this operation.',
  ],
  [
    'TerraformDenied',
    'Error refreshing state: Unable to access object "linux/purple.tfstate" in S3 bucket "states": operation error S3: HeadObject, https response error StatusCode: 403, api error Forbidden: 403 Forbidden',
  ],
  [
    'TerraformQuota',
    'creating EC2 Instance: operation error EC2: RunInstances, https response error StatusCode: 400, api error VcpuLimitExceeded: You have requested more vCPU capacity than your current vCPU limit of 32 allows',
  ],
  [
    'TerraformQuota',
    'creating IAM Role (purple-linux): operation error IAM: CreateRole, https response error StatusCode: 409, RequestID: X, LimitExceeded: Cannot exceed quota for RolesPerAccount: 1000',
  ],
  [
    'TerraformQuota',
    'creating CloudWatch Logs Log Group: operation error CloudWatch Logs: CreateLogGroup, https response error StatusCode: 400, LimitExceededException: Resource limit exceeded.',
  ],
  [
    'TerraformQuota',
    'creating EC2 Instance: operation error EC2: RunInstances, https response error StatusCode: 400, api error MaxSpotInstanceCountExceeded: Max spot instance count exceeded',
  ],
  [
    'TerraformQuota',
    'creating EC2 EIP: operation error EC2: AllocateAddress, https response error StatusCode: 400, api error AddressLimitExceeded: The maximum number of addresses has been reached.',
  ],
  [
    'TerraformCapacity',
    'creating EC2 Instance: operation error EC2: RunInstances, https response error StatusCode: 500, api error InsufficientInstanceCapacity: We currently do not have sufficient t3.medium capacity in the Availability Zone you requested (eu-central-1a). You can currently get t3.medium capacity by choosing eu-central-1b.',
  ],
  [
    'TerraformCapacity',
    'creating EC2 Instance: operation error EC2: RunInstances, https response error StatusCode: 400, api error Unsupported: Your requested instance type (m7g.large) is not supported in your requested Availability Zone (us-east-1e). Please retry your request by not specifying an Availability Zone or choosing us-east-1a.',
  ],
  [
    'TerraformCapacity',
    'creating EC2 Instance: operation error EC2: RunInstances, https response error StatusCode: 500, api error InsufficientHostCapacity: There is not enough capacity on the Dedicated Host',
  ],
  [
    'TerraformCapacity',
    'creating EC2 Instance: operation error EC2: RunInstances, https response error StatusCode: 400, api error SpotMaxPriceTooLow: Your Spot request price of 0.01 is lower than the minimum required Spot request fulfillment price of 0.02.',
  ],
  [
    'TerraformSubnetFull',
    'creating EC2 Instance: operation error EC2: RunInstances, https response error StatusCode: 400, api error InsufficientFreeAddressesInSubnet: The specified subnet does not have enough free addresses to satisfy the request.',
  ],
  [
    'TerraformUnreachable',
    "creating EC2 Instance: operation error EC2: RunInstances, https response error StatusCode: 503, api error Unavailable: The server is overloaded and can't handle the request.",
  ],
  [
    'TerraformRoleRefused',
    'validating provider credentials: retrieving caller identity from STS: operation error STS: GetCallerIdentity, get identity: get credentials: failed to refresh cached credentials, operation error STS: AssumeRoleWithWebIdentity, https response error StatusCode: 403, RequestID: X, api error AccessDenied: Not authorized to perform sts:AssumeRoleWithWebIdentity',
  ],
  [
    'TerraformRoleRefused',
    'Cannot assume IAM Role',
    'IAM Role (arn:aws:iam::111122223333:role/states) cannot be assumed. Error: operation error STS: AssumeRole, https response error StatusCode: 403, api error AccessDenied: User: arn:aws:sts::111122223333:assumed-role/ci is not authorized to perform: sts:AssumeRole on resource: arn:aws:iam::111122223333:role/states',
  ],
  [
    'TerraformRoleRefused',
    'operation error STS: AssumeRoleWithWebIdentity, https response error StatusCode: 400, api error InvalidIdentityToken: No OpenIDConnect provider found in your account for https://gitlab.example.com',
  ],
  [
    'TerraformRoleRefused',
    'No valid credential sources found',
    'failed to refresh cached credentials, failed to retrieve credentials, operation error STS: AssumeRoleWithWebIdentity, https response error StatusCode: 400, RequestID: X, InvalidIdentityToken: Incorrect token audience',
  ],
  [
    'TerraformRoleRefused',
    'operation error STS: AssumeRoleWithWebIdentity, https response error StatusCode: 403, RequestID: X, IDPRejectedClaim: The provider rejected the claim',
  ],
  [
    'TerraformUnreachable',
    'No valid credential sources found',
    'failed to refresh cached credentials, failed to retrieve credentials, operation error STS: AssumeRoleWithWebIdentity, exceeded maximum number of attempts, 3, https response error StatusCode: 503, RequestID: X, api error ServiceUnavailable: Service Unavailable',
  ],
  [
    'TerraformUnreachable',
    'validating provider credentials: retrieving caller identity from STS: operation error STS: GetCallerIdentity, get identity: get credentials: failed to refresh cached credentials, operation error STS: AssumeRole, https response error StatusCode: 0, RequestID: , request send failed, Post "https://sts.eu-central-1.amazonaws.com/": dial tcp: lookup sts.eu-central-1.amazonaws.com: no such host',
  ],
  [
    'TerraformCredentials',
    'No valid credential sources found',
    'failed to refresh cached credentials, no EC2 IMDS role found, operation error ec2imds: GetMetadata, request send failed, Get "http://169.254.169.254/latest/meta-data/iam/security-credentials/": dial tcp 169.254.169.254:80: i/o timeout',
  ],
  [
    'TerraformCredentials',
    'failed to refresh cached credentials, operation error STS: AssumeRole, https response error StatusCode: 403, api error ExpiredToken: The security token included in the request is expired',
  ],
  [
    'TerraformNameTaken',
    'creating IAM Role (purple-linux_runner-manager): operation error IAM: CreateRole, https response error StatusCode: 409, EntityAlreadyExists: Role with name purple-linux_runner-manager already exists.',
  ],
  [
    'TerraformNameTaken',
    'creating CloudWatch Logs Log Group (/gitlab-runner/purple-linux): operation error CloudWatch Logs: CreateLogGroup, https response error StatusCode: 400, ResourceAlreadyExistsException: The specified log group already exists',
  ],
  [
    'TerraformNameTaken',
    'creating Security Group (purple-linux_runner-manager): operation error EC2: CreateSecurityGroup, api error InvalidGroup.Duplicate: The security group already exists for VPC',
  ],
  [
    'TerraformProviderMissing',
    'Failed to query available provider packages',
    'Could not retrieve the list of available versions for provider hashicorp/aws',
  ],
  [
    'TerraformProviderMissing',
    'Failed to resolve provider packages',
    'Could not resolve provider hashicorp/aws: could not connect to registry.opentofu.org: dial tcp: lookup registry.opentofu.org: no such host',
  ],
  [
    'TerraformVersionRefused',
    'Incompatible module',
    'The module does not support OpenTofu version 1.12.6.',
  ],
  [
    'TerraformConfigurationInvalid',
    'main.tf:3: Unsupported argument',
    'An argument named "colour" is not expected here.',
  ],
  [
    'TerraformVersionRefused',
    'Unsupported Terraform Core version',
    'This configuration does not support Terraform version 1.5.0.',
  ],
  [
    'TerraformPlanStale',
    'Saved plan is stale',
    'The given plan file can no longer be applied because the state was changed by another operation after the plan was created.',
  ],
];

describe("Terraform's error text", () => {
  test.each(texts)('causes %s: %s', (code, summary, detail = '') => {
    const error = errorOf(summary, detail) as DeployError;
    expect(error.code).toBe(code);
    expect(error.fields.why?.[0]).toContain(summary.slice(0, 60));
    expect(error.fields.why?.at(-1)).toBe(
      'purple may be partly changed. The next run makes a new plan.',
    );
  });

  test('appears unchanged, without a secret, if its cause is unknown', () => {
    const error = errorOf('a surprise', 'with hunter2 in it');
    if (!isPortFailure(error)) throw error;
    expect({ ...error, message: error.message }).toMatchObject({
      kind: 'refused',
      effect: 'unknown',
      detail: 'a surprise: with [redacted] in it',
    });
  });

  test('about a plan reports that nothing was touched', () => {
    const error = errorOf('No valid credential sources found', '', false) as DeployError;
    expect(error.fields.why).toEqual(['"No valid credential sources found"']);
  });
});

test.each(['.terraform/hosted-runner', '.terraform/hosted-runner/linux-purple'])(
  'refuses a symbolic link as the shard’s folder: %s',
  async (name) => {
    const directory = mkdtempSync(join(tmpdir(), 'linked-'));
    const elsewhere = mkdtempSync(join(tmpdir(), 'elsewhere-'));
    mkdirSync(join(directory, name, '..'), { recursive: true });
    symlinkSync(elsewhere, join(directory, name));
    const settings = { ...usual, directory };
    await expect(
      initialisedWorkplace({ ...options, settings }, stackShard('purple', 'linux')),
    ).rejects.toMatchObject({
      kind: 'refused',
      effect: 'none',
      detail: `${name} is a symbolic link; remove it`,
    });
    expect(readdirSync(elsewhere)).toEqual([]);
    for (const folder of [directory, elsewhere]) rmSync(folder, { recursive: true, force: true });
  },
);

test.each([
  [4, ''],
  [5, ' · and 1 more error'],
  [9, ' · and 5 more errors'],
])('an error report quotes four of %d Terraform errors, and counts the others', (count, more) => {
  const errors = Array.from({ length: count }, (_, index) => {
    return { severity: 'error', summary: `Unlike any other ${index}`, detail: '' } as const;
  });
  const quoted = [0, 1, 2, 3].map((index) => `Unlike any other ${index}`).join(' · ');
  expect(errorOfApply(errors)).toMatchObject({ detail: `${quoted}${more}` });
});
