import { removeProfile, removeRole } from '../../../src/adapters/aws/access/roles.ts';
import { simulate } from '../../../src/adapters/aws/access/simulation.ts';
import { createAlarms } from '../../../src/adapters/aws/alarms/cloudwatch-alarms.ts';
import { createRunCommand } from '../../../src/adapters/aws/hosts/run-command.ts';
import { listNamedGroups } from '../../../src/adapters/aws/inventory/auto-scaling-groups.ts';
import { createLifecycleHooks } from '../../../src/adapters/aws/inventory/auto-scaling-hooks.ts';
import { removeInEc2 } from '../../../src/adapters/aws/inventory/aws-inventory.ts';
import {
  findInstance,
  sendTermination,
} from '../../../src/adapters/aws/inventory/ec2-instances.ts';
import { resourcesWithTag } from '../../../src/adapters/aws/inventory/ec2-tags.ts';
import type { CloudWatch, Ssm } from '../../../src/adapters/aws/services.ts';
import { createParameterStore } from '../../../src/adapters/aws/state-store/parameter-store.ts';
import { createVirtualClock } from '../../transport/virtual-clock.ts';
import { keys, type openCloud, place } from '../cloud.ts';

type Cloud = ReturnType<typeof openCloud> & { readonly cloudWatch: CloudWatch };

const hostId = 'i-0123456789abcdef0';
const role = 'arn:aws:iam::123456789012:role/deploy';
const value = { name: '/runners/linux/deployment_status', value: '{}' };
export const storeOf = (ssm: Ssm) => createParameterStore({ ssm });
const order = {
  hostId,
  script: 'true',
  comment: '',
  executionSeconds: 1,
  effect: 'write',
} as const;
export const hook = {
  group: 'runners',
  hook: 'drain',
  instanceId: hostId,
  instance: 'alive',
} as const;

/** One call of AWS, and the calls before it that have to succeed. */
export interface Call {
  readonly action: string;
  readonly effect: 'read' | 'write';
  readonly call: (cloud: Cloud) => Promise<unknown>;
  readonly before?: Record<string, string>;
}

export const pink = { kind: 'role', id: 'arn:aws:iam::123456789012:role/pink' } as const;
export const profile = {
  kind: 'instance_profile',
  id: 'arn:aws:iam::1:instance-profile/pink',
} as const;
const removal: Call['call'] = ({ iam }) => removeRole(iam, pink);
const list = (name: string, ...members: string[]) =>
  `<${name}>${members.map((one) => `<member>${one}</member>`).join('')}</${name}><IsTruncated>false</IsTruncated>`;
const noProfiles = { ListInstanceProfilesForRole: list('InstanceProfiles') };
const attached = {
  ...noProfiles,
  ListAttachedRolePolicies: list(
    'AttachedPolicies',
    '<PolicyName>core</PolicyName><PolicyArn>arn:aws:iam::aws:policy/core</PolicyArn>',
  ),
};
const inline = {
  ...attached,
  DetachRolePolicy: '',
  ListRolePolicies: list('PolicyNames', 'own'),
};
const held = {
  GetInstanceProfile: `<InstanceProfile><InstanceProfileName>pink</InstanceProfileName>${list('Roles', '<RoleName>pink</RoleName>')}</InstanceProfile>`,
};

const read = 'read';
const write = 'write';
export const calls: readonly Call[] = [
  { action: 'GetInstanceProfile', effect: read, call: ({ iam }) => removeProfile(iam, profile) },
  {
    action: 'RemoveRoleFromInstanceProfile',
    effect: write,
    before: held,
    call: ({ iam }) => removeProfile(iam, profile),
  },
  {
    action: 'DeleteInstanceProfile',
    effect: write,
    before: { ...held, RemoveRoleFromInstanceProfile: '' },
    call: ({ iam }) => removeProfile(iam, profile),
  },
  { action: 'ListInstanceProfilesForRole', effect: read, call: removal },
  { action: 'ListAttachedRolePolicies', effect: read, before: noProfiles, call: removal },
  { action: 'DetachRolePolicy', effect: write, before: attached, call: removal },
  { action: 'DeleteRolePolicy', effect: write, before: inline, call: removal },
  {
    action: 'DeleteRole',
    effect: write,
    before: { ...inline, DeleteRolePolicy: '' },
    call: removal,
  },
  {
    action: 'SimulatePrincipalPolicy',
    effect: read,
    call: ({ iam }) =>
      simulate(iam, { principal: role, place }, [
        { action: 'ec2:DescribeTags', on: 'anything', roles: ['cleanup'], why: '' } as never,
      ]),
  },
  {
    action: 'DeleteSecurityGroup',
    effect: write,
    call: ({ ec2 }) => removeInEc2(ec2, { kind: 'security_group', id: 'sg-1' }),
  },
  {
    action: 'DeleteNetworkInterface',
    effect: write,
    call: ({ ec2 }) => removeInEc2(ec2, { kind: 'network_interface', id: 'eni-1' }),
  },
  { action: 'DescribeInstances', effect: read, call: ({ ec2 }) => findInstance(ec2, hostId) },
  {
    action: 'DescribeAlarms',
    effect: read,
    call: ({ cloudWatch }) => createAlarms({ cloudWatch, redact: (text) => text }).read(['errors']),
  },
  {
    action: 'DescribeAutoScalingGroups',
    effect: read,
    call: ({ autoScaling }) => listNamedGroups(autoScaling, ['pink-linux']),
  },
  {
    action: 'DescribeTags',
    effect: read,
    call: ({ ec2 }) => resourcesWithTag(ec2, 'hosted-runner:stack', 'linux'),
  },
  {
    action: 'GetParameter',
    effect: read,
    call: ({ ssm }) => storeOf(ssm).find(value.name),
  },
  { action: 'GetCallerIdentity', effect: read, call: ({ account }) => account.readIdentity() },
  ...(['create', 'overwrite'] as const).map((call): Call => {
    return { action: 'PutParameter', effect: write, call: ({ ssm }) => storeOf(ssm)[call](value) };
  }),
  { action: 'DeleteParameter', effect: write, call: ({ ssm }) => storeOf(ssm).remove(value.name) },
  {
    action: 'SendCommand',
    effect: write,
    call: ({ ssm }) => createRunCommand({ ssm, clock: createVirtualClock() }).run(order),
  },
  {
    action: 'TerminateInstances',
    effect: write,
    call: ({ ec2 }) => sendTermination(ec2, hostId),
  },
  {
    action: 'CompleteLifecycleAction',
    effect: write,
    call: (cloud) => createLifecycleHooks({ ...cloud, keys }).complete(hook),
  },
];
