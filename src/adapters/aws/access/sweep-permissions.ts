import type { Exemption, Permission, PermissionScope, PolicyRole } from './permissions.ts';

/**
 * Roles that remove resources. `provision` and `promote` retreat from a candidate that turns
 * unhealthy.
 */
export const removing: readonly PolicyRole[] = [
  'provision',
  'promote',
  'cleanup',
  'finalize',
  'operator',
];

const removeRole = 'remove leftover roles';
const removeProfile = 'remove leftover instance profiles';

/** Permissions to find and remove the leftovers of a removed shard. */
export const sweepPermissions: readonly Permission[] = [
  ...removals('tagged_instances', 'no_sweep', {
    'ec2:TerminateInstances': 'remove leftover instances',
  }),
  ...removals('anything', 'no_sweep', {
    'ec2:DescribeTags': 'find resources with the tags of a removed shard',
    'tag:GetResources': 'find resources with the tags of a removed shard',
  }),
  ...removals('tagged_interfaces', 'no_sweep', {
    'ec2:DeleteNetworkInterface': 'remove leftover network interfaces',
  }),
  ...removals('tagged_security_groups', 'no_sweep', {
    'ec2:DeleteSecurityGroup': 'remove leftover security groups',
  }),
  ...removals('anything', 'no_sweep', {
    'autoscaling:DescribeAutoScalingGroups': 'find lifecycle hooks that delay a termination',
    'autoscaling:DescribeLifecycleHooks': 'find lifecycle hooks that delay a termination',
  }),
  ...removals('tagged_groups', 'no_sweep', {
    'autoscaling:CompleteLifecycleAction': 'complete such a hook',
  }),
  ...removals('own_roles', 'no_role_names', {
    'iam:GetRole': removeRole,
    'iam:ListInstanceProfilesForRole': removeRole,
    'iam:ListAttachedRolePolicies': removeRole,
    'iam:ListRolePolicies': removeRole,
    'iam:DetachRolePolicy': removeRole,
    'iam:DeleteRolePolicy': removeRole,
    'iam:DeleteRole': removeRole,
  }),
  ...removals('own_profiles', 'no_role_names', {
    'iam:GetInstanceProfile': removeProfile,
    'iam:RemoveRoleFromInstanceProfile': removeProfile,
    'iam:DeleteInstanceProfile': removeProfile,
  }),
];

/** @param whys reasons by action */
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
