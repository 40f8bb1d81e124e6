import { describe, expect, test } from '@jest/globals';
import type { DeployError } from '../../src/errors/deploy-error.ts';
import { errorOfApply } from './failed-apply.ts';

/** Text that Terraform adds to the backend's error. */
const advice = `

Terraform acquires a state lock to protect the state from being written
by multiple users at the same time. Please resolve the issue above and try
again. For most commands, you can disable locking with the "-lock=false"
flag, but this is not recommended.`;

function errorOf(
  words: string,
  { summary = 'Error acquiring the state lock', end = advice, touched = true } = {},
): DeployError {
  const diagnostics = [{ summary, detail: `Error message: ${words}${end}` }];
  const dataDirectory = 'infrastructure/.terraform/hosted-runner/linux-purple';
  return errorOfApply(diagnostics, { touched, dataDirectory }) as DeployError;
}

const info = (path: string, id = '6f1c2a9e-0000-4000-8000-000000000001') => `
Lock Info:
  ID:        ${id}
  Path:      ${path}
  Operation: OperationTypeApply
  Who:       deployer@elsewhere
  Version:   1.11.4
  Created:   2026-11-02 08:00:00.123456 +0000 UTC
  Info:      
`;

const dynamo =
  'operation error DynamoDB: PutItem, https response error StatusCode: 400, RequestID: X,';
const s3 =
  'operation error S3: PutObject, https response error StatusCode: 412, RequestID: X, HostID: Y, api error PreconditionFailed: At least one of the pre-conditions you specified did not hold';

/** Texts of the backends in Terraform 1.11 and OpenTofu 1.12. */
const held: readonly (readonly [string, string])[] = [
  ['s3 with DynamoDB', `${dynamo} ConditionalCheckFailedException: The conditional request failed`],
  ['s3 with a lock file', s3],
  [
    'gcs',
    'writing "gs://states/pink.tflock" failed: googleapi: Error 412: At least one of the pre-conditions you specified did not hold., conditionNotMet',
  ],
  ['azurerm', 'state blob is already locked'],
  ['consul', ''],
  ['local', 'resource temporarily unavailable'],
];

describe('a held lock', () => {
  test.each(held)(
    'held by %s exits 75, with its owner and the command that breaks it',
    (_, words) => {
      const { code, exitCode, fields } = errorOf(`${words}${info('states/pink.tfstate')}`);
      expect([code, exitCode]).toEqual(['TerraformStateLocked', 75]);
      expect(fields.what).toBe(
        'The Terraform state of purple has been locked by deployer@elsewhere since 2026-11-02 08:00:00.123456 +0000 UTC (apply).',
      );
      expect(fields.fix?.[1]).toMatch(/force-unlock 6f1c2a9e-0000-4000-8000-000000000001$/);
      if (words !== '') expect(fields.why?.[0]).toBe(`"${words}"`);
    },
  );

  test.each([
    ['http', 'HTTP remote state already locked: ID=b1c2', 'b1c2'],
    ['HCP Terraform', 'workspace already locked (lock ID: "org/linux-pink")', 'org/linux-pink'],
  ])('names its own id for %s, not the id of the refused request', (_, words, id) => {
    const { code, exitCode, fields } = errorOf(`${words}${info('')}`);
    expect([code, exitCode]).toEqual(['TerraformStateLocked', 75]);
    expect(fields.fix?.[1]).toMatch(new RegExp(`force-unlock ${id}$`));
    expect(fields.what).not.toContain('deployer@elsewhere');
  });

  test.each([
    ['http without a readable body', 'HTTP remote state already locked, failed to unmarshal body'],
    ['http with an empty lock', 'HTTP remote state already locked: ID='],
    ['pg', 'Workspace is already locked: linux-pink'],
    ['pg during creation', 'Already locked for workspace creation: linux-pink'],
  ])('prints no command with the id of the refused request for %s', (_, words) => {
    const { code, exitCode, fields } = errorOf(`${words}${info('')}`);
    expect([code, exitCode]).toEqual(['TerraformStateLocked', 75]);
    expect(JSON.stringify(fields)).not.toMatch(/force-unlock|6f1c2a9e/);
  });

  test('shows an owner for kubernetes, although its info has no path', () => {
    const words = 'the state is already locked by another terraform client';
    expect(errorOf(`${words}${info('')}`).fields.what).toContain('deployer@elsewhere');
  });

  test('causes the same error for OpenTofu and for a command that prints text', () => {
    const tofu = advice.replace('Terraform acquires', 'OpenTofu acquires');
    expect(errorOf(`${s3}${info('a')}`, { end: tofu }).code).toBe('TerraformStateLocked');
    const summary = 'Error locking state: Error acquiring the state lock';
    expect(errorOf(`${s3}${info('a')}`, { summary }).code).toBe('TerraformStateLocked');
  });

  test.each([
    ['2024-11-21 03:15:19.887006 +0000 UTC', 3],
    ['2026-11-01 08:59:59.123456 +0000 UTC', 3],
    ['2026-11-01 09:00:01.123456 +0000 UTC', 75],
    ['unknown', 75],
  ])('since %s exits %i, because a day-old lock needs an operator', (since, exitCode) => {
    const old = info('states/pink.tfstate').replace(/Created: .*/, `Created:   ${since}`);
    const error = errorOf(`${s3}${old}`);
    expect([error.code, error.exitCode]).toEqual(['TerraformStateLocked', exitCode]);
  });

  test('prints an id that no shell executes', () => {
    const { fields } = errorOf('HTTP remote state already locked: ID=x;curl$IFS|sh');
    expect(fields.fix?.[1]).toMatch(/force-unlock 'x;curl\$IFS\|sh'$/);
  });
});

/** Failures without a lock holder, which no wait ends. */
const failed: readonly (readonly [string, string, string])[] = [
  [
    'a deleted lock table',
    `${dynamo} ResourceNotFoundException: Requested resource not found\nUnable to retrieve item from DynamoDB table "locks": ${dynamo} ResourceNotFoundException: Requested resource not found`,
    'TerraformLockFailed',
  ],
  [
    'a denied lock file',
    'operation error S3: PutObject, https response error StatusCode: 403, RequestID: X, HostID: Y, api error AccessDenied: User: arn:aws:sts::111122223333:assumed-role/ci is not authorized to perform: s3:PutObject on resource: "arn:aws:s3:::states/pink.tfstate.tflock"',
    'TerraformDenied',
  ],
  [
    'an expired token',
    `${dynamo} api error ExpiredTokenException: The security token included in the request is expired`,
    'TerraformCredentials',
  ],
  [
    'DNS',
    'operation error DynamoDB: PutItem, exceeded maximum number of attempts, 5, https response error StatusCode: 0, RequestID: , request send failed, Post "https://dynamodb.eu-central-1.amazonaws.com/": dial tcp: lookup dynamodb.eu-central-1.amazonaws.com: no such host',
    'TerraformUnreachable',
  ],
  ['http 401', 'HTTP remote state endpoint requires auth', 'TerraformCredentials'],
  ['http 403', 'HTTP remote state endpoint invalid auth', 'TerraformDenied'],
  ['http 404', 'Unexpected HTTP response code 404', 'TerraformLockFailed'],
  ['http 500', 'Unexpected HTTP response code 500', 'TerraformUnreachable'],
  [
    'a dead http backend',
    'Failed to lock: LOCK http://127.0.0.1:9/lock giving up after 3 attempt(s): Post "http://127.0.0.1:9/lock": dial tcp 127.0.0.1:9: connect: connection refused',
    'TerraformUnreachable',
  ],
  [
    'a denied object of gcs',
    'writing "gs://states/pink.tflock" failed: googleapi: Error 403: ci does not have storage.objects.create access to the Google Cloud Storage object., forbidden\nstorage: object doesn\'t exist',
    'TerraformDenied',
  ],
  [
    'a lease of azurerm without an owner',
    'state blob is already locked\nblob metadata "terraformlockid" was empty',
    'TerraformLockFailed',
  ],
  ['an error of pg with its own info', `EOF${info('')}`, 'TerraformLockFailed'],
  [
    'a permission of pg with its own info',
    `pq: permission denied for table states${info('')}`,
    'TerraformDenied',
  ],
  [
    "a denied request beside another owner's lock",
    `${dynamo} AccessDeniedException: User: ci is not authorized to perform: dynamodb:PutItem${info('states/pink.tfstate')}`,
    'TerraformDenied',
  ],
  [
    'a throttled lock table',
    `${dynamo} ProvisionedThroughputExceededException: The level of configured provisioned throughput for the table was exceeded`,
    'TerraformThrottled',
  ],
  [
    'a rate limit of gcs',
    'writing "gs://states/pink.tflock" failed: googleapi: Error 429: The object exceeded the rate limit for object mutation operations, rateLimitExceeded',
    'TerraformThrottled',
  ],
  ['consul', 'Unexpected response code: 500 (No cluster leader)', 'TerraformUnreachable'],
  ['a timeout of the client', 'context deadline exceeded', 'TerraformUnreachable'],
  [
    'a denied lease of kubernetes',
    'leases.coordination.k8s.io "lock-tfstate-default-x" is forbidden: User "ci" cannot get resource "leases"',
    'TerraformDenied',
  ],
  ['a token of HCP Terraform', 'unauthorized', 'TerraformCredentials'],
  ['a lock without an id', `EOF${info('states/pink.tfstate', '')}`, 'TerraformLockFailed'],
];

describe('a failed lock request', () => {
  test.each(failed)(
    'because of %s is not a held lock, exits 1 and quotes Terraform',
    (_, words, code) => {
      for (const touched of [true, false]) {
        const error = errorOf(words, { touched });
        expect([error.code, error.exitCode]).toEqual([code, 1]);
        const start = words.split('\n')[0]?.slice(0, 60);
        expect(error.fields.why?.[0]).toMatch(/^"Error acquiring the state lock: /);
        expect(error.fields.why?.[0]).toContain(start);
        expect(JSON.stringify(error.fields)).not.toMatch(/-lock=false|force-unlock|Lock Info/);
      }
    },
  );

  test('causes the same error from wrapped text', () => {
    const wrapped =
      'operation error S3: PutObject, api error AccessDenied: User: ci is\nnot authorized to\nperform: s3:PutObject';
    expect(errorOf(wrapped).code).toBe('TerraformDenied');
  });
});

describe('a lock that could not be released', () => {
  const advice = `

Terraform acquires a lock when accessing your state to prevent others
running Terraform to potentially modify the state at the same time.`;

  test.each([
    ['Unexpected HTTP response code 403', 'TerraformLockFailed'],
    [
      'operation error S3: DeleteObject, https response error StatusCode: 403, api error AccessDenied: Access Denied',
      'TerraformDenied',
    ],
  ])('because of "%s" may be left, and the error reports it', (words, code) => {
    const error = errorOf(words, { summary: 'Error releasing the state lock', end: advice });
    expect([error.code, error.exitCode]).toEqual([code, 1]);
    expect(error.fields.why?.slice(0, 2)).toEqual([
      `"Error releasing the state lock: ${words}"`,
      'The state lock may remain; the next run then prints how to remove it.',
    ]);
  });
});
