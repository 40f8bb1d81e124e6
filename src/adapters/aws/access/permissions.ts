import { stageNames } from '../../../domain/deployment/stages-and-steps.ts';
import { removing, sweepPermissions } from './sweep-permissions.ts';

/** Role that a policy is for: a stage of a pipeline, or the operator's commands. */
export type PolicyRole = (typeof roles)[number];

export const roles = [...stageNames, 'healthcheck', 'status', 'renew', 'operator'] as const;

/**
 * One AWS action on one kind of resource. Policies, the `prepare` probe and the docs read this
 * list.
 */
export interface Permission {
  readonly action: string;
  readonly on: PermissionScope;
  readonly roles: readonly PolicyRole[];
  readonly why: string;
  /** Configuration that makes this permission unnecessary. */
  readonly unless?: Exemption;
  /** Marks a permission that only saves calls. `prepare` does not check it. */
  readonly optional?: true;
}

export type Exemption =
  | 'no_run_command'
  | 'check_document'
  | 'no_check_document'
  | 'no_sweep'
  | 'no_role_names'
  | 'no_alarms';

export type PermissionScope =
  | 'state'
  | 'record_and_lock'
  | 'status'
  | 'hold'
  | 'tokens'
  | 'anything'
  | 'hosts'
  | 'shell_document'
  | 'check_document'
  | 'named_instances'
  | 'tagged_instances'
  | 'tagged_interfaces'
  | 'tagged_security_groups'
  | 'tagged_groups'
  | 'own_roles'
  | 'own_profiles';

const writing: readonly PolicyRole[] = roles.filter(
  (role) => role !== 'healthcheck' && role !== 'status' && role !== 'renew',
);
/** Roles that read machines. `renew` rotates a token and reads no machine. */
const machineRoles: readonly PolicyRole[] = roles.filter((role) => role !== 'renew');
const commandRoles: readonly PolicyRole[] = machineRoles.filter(
  (role) => role !== 'onboard' && role !== 'status',
);

/** Roles that only check hosts. */
const checking: readonly PolicyRole[] = ['prepare', 'healthcheck'];

export const permissions: readonly Permission[] = [
  {
    action: 'ssm:GetParameter',
    on: 'state',
    roles,
    why: 'read status, record, lock and hold',
  },
  {
    action: 'ssm:GetParameter',
    on: 'tokens',
    roles: ['onboard', ...removing, 'renew'],
    why: 'check that a token is stored or removed',
  },
  {
    action: 'ssm:GetParameters',
    on: 'state',
    roles,
    why: 'read status, record, lock and hold',
  },
  {
    action: 'ssm:GetParameters',
    on: 'tokens',
    roles: ['onboard', ...removing, 'renew'],
    why: 'check that a token is stored or removed',
  },
  {
    action: 'ssm:GetParameterHistory',
    on: 'state',
    roles: [...writing, 'status'],
    why: 'read the lock, and detect concurrent changes of the status',
  },
  {
    action: 'ssm:PutParameter',
    on: 'record_and_lock',
    roles: writing,
    why: 'write record and lock',
  },
  {
    action: 'ssm:PutParameter',
    on: 'status',
    roles: ['provision', 'promote', 'shutdown', 'bake', 'finalize', 'operator'],
    why: 'switch the active shard, also in a rollback',
  },
  {
    action: 'ssm:PutParameter',
    on: 'tokens',
    roles: ['onboard', 'provision', 'shutdown', 'bake', 'cleanup', 'finalize', 'renew', 'operator'],
    why: 'store, replace and invalidate tokens',
  },
  {
    action: 'ssm:PutParameter',
    on: 'hold',
    roles: ['shutdown', 'bake', 'finalize', 'operator'],
    why: 'set and release a hold; a bake can set it',
  },
  {
    action: 'ssm:DeleteParameter',
    on: 'tokens',
    roles: [...removing, 'renew'],
    why: 'remove the token of a removed shard',
  },
  {
    action: 'ssm:DescribeInstanceInformation',
    on: 'anything',
    roles: machineRoles,
    why: 'find hosts, and check their agent',
    unless: 'no_run_command',
  },
  {
    action: 'ssm:SendCommand',
    on: 'hosts',
    roles: commandRoles,
    why: 'check the runner process, and stop it (SIGTERM only with `drain.force_after`)',
    unless: 'no_run_command',
  },
  {
    action: 'ssm:SendCommand',
    on: 'shell_document',
    roles: commandRoles.filter((role) => !checking.includes(role)),
    why: 'run scripts with `AWS-RunShellScript`',
    unless: 'no_run_command',
  },
  {
    action: 'ssm:SendCommand',
    on: 'shell_document',
    roles: checking,
    why: 'run checks with `AWS-RunShellScript`',
    unless: 'check_document',
  },
  {
    action: 'ssm:SendCommand',
    on: 'check_document',
    roles: checking,
    why: 'run checks with the check document only',
    unless: 'no_check_document',
  },
  {
    action: 'ssm:GetCommandInvocation',
    on: 'anything',
    roles: commandRoles,
    why: 'read the result of a command',
    unless: 'no_run_command',
  },
  {
    action: 'ssm:ListCommandInvocations',
    on: 'anything',
    roles: commandRoles,
    why: 'optional: read several results in one call',
    unless: 'no_run_command',
    optional: true,
  },
  {
    action: 'ec2:DescribeInstances',
    on: 'anything',
    roles: machineRoles,
    why: 'read the state of instances, including terminated ones',
  },
  {
    action: 'cloudwatch:DescribeAlarms',
    on: 'anything',
    roles: ['shutdown', 'bake', 'finalize', 'operator'],
    why: 'read alarms during a bake',
    unless: 'no_alarms',
  },
  {
    action: 'ec2:TerminateInstances',
    on: 'named_instances',
    roles: ['operator'],
    why: 'terminate a host with `recover --method terminate`',
  },
  ...sweepPermissions,
];
