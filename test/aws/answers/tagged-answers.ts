import type { IAM } from '@aws-sdk/client-iam';
import { createInventory } from '../../../src/adapters/aws/inventory/aws-inventory.ts';
import type { TaggedResource } from '../../../src/domain/plan/aws-resource.ts';
import { createVirtualClock } from '../../transport/virtual-clock.ts';
import { type Answers, createClient, recorded, refusalNamed } from '../stub-client.ts';
import { groups, machines } from './machine-answers.ts';
import { keys, ourTags, pink, type Reading } from './reading-answers.ts';

const account = 'arn:aws:iam::123456789012';
const roleName = 'pink-linux_runner-manager';
const role = { RoleName: roleName, Arn: `${account}:role/${roleName}`, Tags: ourTags };
const profile = {
  InstanceProfileName: roleName,
  Arn: `${account}:instance-profile/${roleName}`,
  Roles: [role],
  Tags: ourTags,
};
const unknown = refusalNamed('NoSuchEntityException');
const none = {
  describeInstances: { Reservations: [] },
  describeAutoScalingGroups: { AutoScalingGroups: [] },
  describeTags: { Tags: [] },
  getResources: { ResourceTagMappingList: [] },
  getRole: unknown,
  getInstanceProfile: unknown,
};

/** Lists the resources with the shard's tags, given these responses of AWS and no others. */
function left(answers: object): Promise<readonly TaggedResource[]> {
  return inventoryOf({ ...none, ...answers }).inventory.list(pink);
}

function inventoryOf(answers: Answers) {
  const { service: iam, called } = recorded<IAM>(answers);
  const inventory = createInventory({
    tagging: createClient(answers),
    ec2: createClient(answers),
    autoScaling: createClient(answers),
    iam,
    clock: createVirtualClock(),
    keys,
    roleNames: [roleName],
  });
  return { inventory, called };
}

const kindAndState = (found: TaggedResource[]) =>
  found.map(({ kind, state = '' }) => `${kind} ${state}`.trim()).join();
const named = (found: TaggedResource[]) => found.map(({ id }) => id).join();

/** Lists IAM's changes for the removal of a role or an instance profile. */
async function removed(kind: 'role' | 'instance_profile', answers: object): Promise<string[]> {
  const all = {
    ...none,
    getRole: { Role: role },
    getInstanceProfile: { InstanceProfile: profile },
    listInstanceProfilesForRole: { InstanceProfiles: [] },
    listAttachedRolePolicies: { AttachedPolicies: [] },
    listRolePolicies: { PolicyNames: [] },
    ...answers,
  };
  const id = kind === 'role' ? role.Arn : profile.Arn;
  const { inventory, called } = inventoryOf(all);
  await inventory.remove({ kind, id }, pink);
  return called.filter((name) => /^(?:detach|delete|remove)/.test(name));
}
const joined = (written: string[]) => written.join();

/**
 * Results of changed tags. AWS finds resources by their tags, except IAM, which finds them by name.
 */
const ofTags = (list: string, other = 'unread') =>
  Object.fromEntries(
    [0, 1].flatMap((nth) => [
      [`${list}.${nth}.Key missing`, 'unread'],
      [`${list}.${nth}.Key another word`, other],
      [`${list}.${nth}.Value missing`, 'unread'],
      [`${list}.${nth}.Value another word`, ''],
    ]),
  );

/** Responses about tagged resources, from each AWS service. */
export const taggedReadings: readonly Reading[] = [
  {
    operation: 'ec2-instances.ts describeInstances',
    answer: machines,
    read: (answer) =>
      left({
        describeInstances: JSON.parse(JSON.stringify(answer), (key, value) =>
          key === 'LaunchTime' ? new Date(value) : value === 'terminated' ? 'running' : value,
        ),
      }),
    format: kindAndState,
    is: 'instance running',
    otherwise: {
      'Reservations missing': 'unread',
      'Reservations.0.Instances missing': 'unread',
      ...Object.fromEntries(
        ['InstanceId missing', 'InstanceId another word', 'LaunchTime missing'].map((change) => [
          `Reservations.0.Instances.0.${change}`,
          'unread',
        ]),
      ),
      ...Object.fromEntries(
        ['State missing', 'State.Name missing', 'State.Name another word'].map((change) => [
          `Reservations.0.Instances.0.${change}`,
          'instance unknown',
        ]),
      ),
      'Reservations.0.Instances.0.Tags missing': 'unread',
      ...Object.fromEntries(
        [0, 1, 2, 3].flatMap((nth) => {
          const tag = `Reservations.0.Instances.0.Tags.${nth}`;
          const isOwnTag = nth === 1 || nth === 2;
          return [
            [`${tag}.Key missing`, 'unread'],
            ...(isOwnTag
              ? [
                  [`${tag}.Key another word`, 'unread'],
                  [`${tag}.Value missing`, 'unread'],
                  [`${tag}.Value another word`, ''],
                ]
              : []),
          ];
        }),
      ),
    },
  },
  {
    operation: 'auto-scaling-groups.ts describeAutoScalingGroups',
    answer: groups,
    read: (answer) => left({ describeAutoScalingGroups: answer }),
    format: kindAndState,
    is: 'auto_scaling_group Delete in progress',
    otherwise: {
      'AutoScalingGroups missing': 'unread',
      'AutoScalingGroups.0.AutoScalingGroupName missing': 'unread',
      'AutoScalingGroups.0.Status missing': 'auto_scaling_group',
      'AutoScalingGroups.0.Status another word': 'auto_scaling_group Surprise',
      'AutoScalingGroups.0.Tags missing': 'unread',
      ...ofTags('AutoScalingGroups.0.Tags'),
    },
  },
  {
    operation: 'aws-inventory.ts getResources',
    answer: {
      PaginationToken: '',
      ResourceTagMappingList: [
        { ResourceARN: 'arn:aws:logs:eu-west-1:123456789012:log-group:pink', Tags: ourTags },
      ],
    },
    read: (answer) => left({ getResources: answer }),
    format: (found: TaggedResource[]) => found.map(({ kind, id }) => `${kind} ${id}`).join(),
    is: 'log_group pink',
    otherwise: {
      'PaginationToken another word': 'unread',
      'ResourceTagMappingList missing': 'unread',
      'ResourceTagMappingList.0.ResourceARN missing': 'unread',
      'ResourceTagMappingList.0.ResourceARN another word': 'other Surprise',
      'ResourceTagMappingList.0.Tags missing': 'unread',
      ...ofTags('ResourceTagMappingList.0.Tags'),
    },
  },
  {
    operation: 'roles.ts getRole',
    answer: { Role: role },
    read: (answer) => left({ getRole: answer }),
    format: named,
    is: role.Arn,
    otherwise: {
      'Role missing': 'unread',
      'Role.Arn missing': 'unread',
      'Role.Arn another word': 'Surprise',
      // IAM omits the tags of a role without any. Such a role does not belong to the stack.
      'Role.Tags missing': '',
      ...ofTags('Role.Tags', ''),
    },
  },
  {
    operation: 'roles.ts getInstanceProfile',
    answer: { InstanceProfile: profile },
    read: (answer) => left({ getInstanceProfile: answer }),
    format: named,
    is: profile.Arn,
    otherwise: {
      'InstanceProfile missing': 'unread',
      'InstanceProfile.Arn missing': 'unread',
      'InstanceProfile.Arn another word': 'Surprise',
      'InstanceProfile.Tags missing': '',
      ...ofTags('InstanceProfile.Tags', ''),
    },
  },
  {
    operation: 'roles.ts getInstanceProfile',
    answer: { InstanceProfile: profile },
    read: (answer) => removed('instance_profile', { getInstanceProfile: answer }),
    format: joined,
    is: 'removeRoleFromInstanceProfile,deleteInstanceProfile',
    otherwise: {
      'InstanceProfile missing': 'unread',
      'InstanceProfile.Arn missing': 'unread',
      'InstanceProfile.Arn another word': '',
      'InstanceProfile.Roles missing': 'unread',
      'InstanceProfile.Roles.0.RoleName missing': 'unread',
      'InstanceProfile.Tags missing': '',
      ...ofTags('InstanceProfile.Tags', ''),
    },
  },
  {
    operation: 'roles.ts listInstanceProfilesForRole',
    answer: { IsTruncated: false, InstanceProfiles: [profile] },
    read: (answer) => removed('role', { listInstanceProfilesForRole: answer }),
    format: joined,
    is: 'refused',
    otherwise: {
      'InstanceProfiles missing': 'unread',
      'InstanceProfiles.0.InstanceProfileName missing': 'unread',
    },
  },
  {
    operation: 'roles.ts listAttachedRolePolicies',
    answer: {
      IsTruncated: false,
      AttachedPolicies: [{ PolicyName: 'core', PolicyArn: 'arn:aws:iam::aws:policy/core' }],
    },
    read: (answer) => removed('role', { listAttachedRolePolicies: answer }),
    format: joined,
    is: 'detachRolePolicy,deleteRole',
    otherwise: {
      'AttachedPolicies missing': 'unread',
      'AttachedPolicies.0.PolicyArn missing': 'unread',
    },
  },
  {
    operation: 'roles.ts listRolePolicies',
    answer: { IsTruncated: false, PolicyNames: ['inline'] },
    read: (answer) => removed('role', { listRolePolicies: answer }),
    format: joined,
    is: 'deleteRolePolicy,deleteRole',
    otherwise: { 'PolicyNames missing': 'unread' },
  },
];
