import type { Wish } from '../../../docs/policy.ts';
import { listOf, specifiedTags, type TagMemory, tagsOf } from './tag-memory.ts';

const region = 'arn:aws:ec2:eu-west-1';
const own = `${region}:123456789012`;

const kinds: Readonly<Record<string, string>> = {
  i: 'instance',
  lt: 'launch-template',
  sg: 'security-group',
  sgr: 'security-group-rule',
  vol: 'volume',
};

/** Actions on existing resources, with the parameters that name the resources. */
const onExisting: Readonly<Record<string, readonly string[]>> = {
  CreateLaunchTemplateVersion: ['LaunchTemplateId'],
  DeleteLaunchTemplate: ['LaunchTemplateId'],
  DeleteSecurityGroup: ['GroupId'],
  DescribeInstanceAttribute: ['InstanceId'],
  ModifyInstanceAttribute: ['InstanceId'],
  ModifySecurityGroupRules: ['GroupId', 'SecurityGroupRule.1.SecurityGroupRuleId'],
  RevokeSecurityGroupEgress: ['GroupId'],
  RevokeSecurityGroupIngress: ['GroupId'],
  TerminateInstances: ['InstanceId'],
};

const lists = [
  'DescribeImages',
  'DescribeInstanceCreditSpecifications',
  'DescribeInstances',
  'DescribeInstanceTypes',
  'DescribeLaunchTemplates',
  'DescribeLaunchTemplateVersions',
  'DescribeNetworkInterfaces',
  'DescribeSecurityGroupRules',
  'DescribeSecurityGroups',
  'DescribeTags',
  'DescribeVolumes',
  'DescribeVpcs',
];

/**
 * Lists what a call of EC2 needs, by AWS's service authorization reference; undefined for an
 * unknown action.
 */
export function ec2Wishes(
  action: string,
  form: URLSearchParams,
  memory: TagMemory,
): Wish[] | undefined {
  const wish = (resource: string, tags: Record<string, string> = {}): Wish => ({
    action: `ec2:${action}`,
    resource,
    context: prefixed('aws:RequestTag', tags),
  });
  const existing = (id: string): Wish => ({
    action: `ec2:${action}`,
    resource: `${own}:${kinds[id.split('-')[0] ?? ''] ?? 'unknown'}/${id}`,
    context: prefixed('aws:ResourceTag', memory.of(id)),
  });
  if (lists.includes(action)) return [wish('*')];
  const names = onExisting[action];
  if (names !== undefined)
    return names.flatMap((name) => listOf(form, name)).map((id) => existing(id));
  const tags = specifiedTags(form);
  const tagging = createTags(action, tags);
  switch (action) {
    case 'CreateTags':
    case 'DeleteTags': {
      const context = prefixed('aws:RequestTag', tagsOf(form, ''));
      return listOf(form, 'ResourceId')
        .map(existing)
        .map((one) => ({ ...one, context: { ...one.context, ...context } }));
    }
    case 'CreateSecurityGroup':
      return [
        wish(`${own}:security-group/new`, tags['security-group']),
        wish(`${own}:vpc/${form.get('VpcId')}`),
        ...tagging,
      ];
    case 'CreateLaunchTemplate':
      return [wish(`${own}:launch-template/new`, tags['launch-template']), ...tagging];
    case 'AuthorizeSecurityGroupEgress':
    case 'AuthorizeSecurityGroupIngress':
      return [
        existing(form.get('GroupId') ?? ''),
        wish(`${own}:security-group-rule/new`, tags['security-group-rule']),
        ...tagging,
      ];
    case 'RunInstances':
      return [...launchWishes(form, '', memory), ...tagging, ...passedRole(form)];
    default:
      return undefined;
  }
}

/**
 * Lists what a launch needs. An Auto Scaling group checks it for its launch template, too.
 * @param prefix of the parameters: empty, or `LaunchTemplateData.`
 */
export function launchWishes(form: URLSearchParams, prefix: string, memory: TagMemory): Wish[] {
  const tags = specifiedTags(form, prefix);
  const launch = (resource: string, context: Record<string, string> = {}): Wish => ({
    action: 'ec2:RunInstances',
    resource,
    context,
  });
  return [
    launch(`${own}:instance/new`, prefixed('aws:RequestTag', tags['instance'] ?? {})),
    launch(`${own}:volume/new`, prefixed('aws:RequestTag', tags['volume'] ?? {})),
    launch(`${own}:network-interface/new`),
    launch(`${own}:subnet/${form.get('SubnetId') ?? 'subnet-of-the-group'}`),
    launch(`${region}::image/${form.get(`${prefix}ImageId`)}`),
    ...listOf(form, `${prefix}SecurityGroupId`).map((id) =>
      launch(`${own}:security-group/${id}`, prefixed('aws:ResourceTag', memory.of(id))),
    ),
  ];
}

/** Lists the permissions to set tags during a creation. */
export function createTags(
  action: string,
  tags: Readonly<Record<string, Record<string, string>>>,
): Wish[] {
  return Object.entries(tags).map(([type, values]) => ({
    action: 'ec2:CreateTags',
    resource: `${own}:${type}/new`,
    context: { 'ec2:CreateAction': action, ...prefixed('aws:RequestTag', values) },
  }));
}

/** The instance profiles of the module have the names of their roles. */
function passedRole(form: URLSearchParams): Wish[] {
  const name = form.get('IamInstanceProfile.Name');
  if (name === null) return [];
  return [
    {
      action: 'iam:PassRole',
      resource: `arn:aws:iam::123456789012:role/${name}`,
      context: { 'iam:PassedToService': 'ec2.amazonaws.com' },
    },
  ];
}

export function prefixed(
  prefix: string,
  tags: Readonly<Record<string, string>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(tags).map(([key, value]) => [`${prefix}/${key}`, value]),
  );
}
