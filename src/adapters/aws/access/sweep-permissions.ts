import type { Exemption, Permission, PermissionScope, PolicyRole } from './permissions.ts';

/** Provision and promote too, because they take back a candidate that turns unhealthy. */
export const removing: readonly PolicyRole[] = [
  'provision',
  'promote',
  'cleanup',
  'finalize',
  'operator',
];

/** What it takes to look for what a removed shard left behind, and to remove it. */
export const sweepPermissions: readonly Permission[] = [
  ...removals('tagged_instances', 'no_sweep', {
    'ec2:TerminateInstances': 'instances of a removed shard that are in no state',
  }),
  ...removals('anything', 'no_sweep', {
    'ec2:DescribeTags': "what of EC2 carries a removed shard's tags",
    'tag:GetResources': 'what else carries them',
  }),
  ...removals('tagged_interfaces', 'no_sweep', {
    'ec2:DeleteNetworkInterface': 'interfaces of a removed shard that are in no state',
  }),
  ...removals('tagged_security_groups', 'no_sweep', {
    'ec2:DeleteSecurityGroup': 'security groups of a removed shard that are in no state',
  }),
  ...removals('anything', 'no_sweep', {
    'autoscaling:DescribeAutoScalingGroups':
      'groups with the tags, and instances that their hooks hold',
    'autoscaling:DescribeLifecycleHooks': 'which hook holds an instance that is gone',
  }),
  ...removals('tagged_groups', 'no_sweep', {
    'autoscaling:CompleteLifecycleAction': 'let a group go on whose instance is gone',
  }),
  ...removals('own_roles', 'no_role_names', {
    'iam:GetRole': 'whether a removed shard left its role',
    'iam:ListInstanceProfilesForRole': 'that nothing holds it any more',
    'iam:ListAttachedRolePolicies': 'what it has to be stripped of',
    'iam:ListRolePolicies': 'and of that',
    'iam:DetachRolePolicy': 'a role with policies cannot be deleted',
    'iam:DeleteRolePolicy': 'nor one with policies of its own',
    'iam:DeleteRole': 'the role of a removed shard that is in no state',
  }),
  ...removals('own_profiles', 'no_role_names', {
    'iam:GetInstanceProfile': 'whether a removed shard left its instance profile',
    'iam:RemoveRoleFromInstanceProfile': 'a profile with a role cannot be deleted',
    'iam:DeleteInstanceProfile': 'the instance profile of a removed shard that is in no state',
  }),
];

/** @param whys the reasons by the actions */
function removals(
  on: PermissionScope,
  unless: Exemption,
  whys: Readonly<Record<string, string>>,
): Permission[] {
  return Object.entries(whys).map(([action, why]) => ({
    action,
    on,
    roles: removing,
    why,
    unless,
  }));
}
