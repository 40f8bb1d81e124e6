import { describe, expect, test } from '@jest/globals';
import { bootstrapFiles, policyFiles } from '../../generate/policies.ts';
import { boundaryOf } from '../../generate/terraform/permissions-boundary.ts';
import { terraformPolicies } from '../../generate/terraform/terraform-policies.ts';
import { place } from '../aws/cloud.ts';
import { read } from '../structure/tree.ts';
import { allows, readPolicy, toPolicy } from './policy.ts';

/** IAM does not count spaces: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html */
const mostCharacters = 6144;
const sizeOf = (text: string) => text.replaceAll(/\s/g, '').length;

describe('a policy fits into a managed policy of IAM', () => {
  test.each(policyFiles().map(({ path, text }) => [path, text]))('%s', (_, text) => {
    expect(sizeOf(text)).toBeLessThanOrEqual(mostCharacters);
  });

  test.each(
    Object.entries(
      terraformPolicies(
        {
          ...place,
          partition: 'aws-us-gov',
          region: 'us-gov-west-1',
          runnerName: 'r'.repeat(40),
          shards: ['s'.repeat(20), 't'.repeat(20)],
          parameterPrefix: `/gitlab/dedicated/runner/${'r'.repeat(40)}/`,
        },
        'b'.repeat(63),
      ),
    ),
  )('%s of a stack with a name of 40 characters', (_, policy) => {
    expect(sizeOf(JSON.stringify(policy))).toBeLessThanOrEqual(mostCharacters);
  });
});

test.each(bootstrapFiles().map(({ path, text }) => [path, text]))(
  '%s equals the example, and can also use the fleet of GitHub runners',
  (path, template) => {
    const values: Record<string, string> = {
      partition: 'aws',
      account: '111122223333',
      region: 'eu-central-1',
      bucket: 'acme-terraform-states',
      stack: 'linux',
      first: 'pink',
      second: 'purple',
      prefix: '/gitlab/dedicated/runner/linux/',
    };
    const name = path.replace(/^.*\/|\.json\.tftpl$/g, '');
    const filled = template.replace(/\$\{(\w+)\}/g, (_, key: string) => values[key] ?? '');
    const ofGitLab = (text: string) => {
      const { Statement } = toPolicy(JSON.parse(text));
      return Statement.map(({ Resource, ...rest }) => ({
        ...rest,
        Resource: Resource.filter((one) => !one.endsWith('/runner_fleet')),
      }));
    };
    expect(ofGitLab(filled)).toEqual(ofGitLab(read(`examples/iam/${name}.json`)));
  },
);

test('the permissions boundary allows what the module gives to a host, and no other parameter', () => {
  const boundary = readPolicy('examples/iam/terraform-boundary.json');
  const module = read('terraform/iam.tf');
  const given = [...module.matchAll(/actions\s+= (\[.*\])\n\s+resources/g)].flatMap(
    ([, actions = '']) => JSON.parse(actions) as string[],
  );
  expect(given.length).toBeGreaterThan(10);
  const allowed = boundary.Statement.flatMap(({ Action }) => Action);
  expect([...new Set(given)].sort()).toEqual([...new Set(allowed)].sort());
  const reads = (name: string) =>
    allows(boundary, {
      action: 'ssm:GetParameter',
      resource: `arn:aws:ssm:eu-central-1:111122223333:parameter/gitlab/dedicated/runner/${name}`,
    });
  expect(reads('linux/pink/runner_token')).toBe(true);
  expect(reads('linux/deployment_status')).toBe(false);
  expect(reads('windows/pink/runner_token')).toBe(false);
  expect(toPolicy(boundaryOf(place)).Statement).not.toEqual([]);
});

test('a role that Terraform creates hosts with cannot change the boundary or the trust of their role', () => {
  const actions = ['terraform-destroy', 'terraform-apply'].flatMap((name) =>
    readPolicy(`examples/iam/${name}.json`).Statement.flatMap(({ Action }) => Action),
  );
  for (const action of [
    'iam:PutRolePermissionsBoundary',
    'iam:DeleteRolePermissionsBoundary',
    'iam:UpdateAssumeRolePolicy',
    'iam:AttachRolePolicy',
    'iam:CreatePolicyVersion',
  ])
    expect(actions).not.toContain(action);
});
