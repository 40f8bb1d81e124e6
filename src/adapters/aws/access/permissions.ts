import { stageNames } from '../../../domain/deployment/stages-and-steps.ts';
import { removing, sweepPermissions } from './sweep-permissions.ts';

/** Whose role it is: a stage of a pipeline, or a person with the operator's commands. */
export type PolicyRole = (typeof roles)[number];

export const roles = [...stageNames, 'healthcheck', 'status', 'renew', 'operator'] as const;

/** One action of AWS on one kind of thing. Policies, the probe of `prepare` and the docs read this. */
export interface Permission {
  readonly action: string;
  readonly on: PermissionScope;
  readonly roles: readonly PolicyRole[];
  readonly why: string;
  /** The configuration without which nobody asks for it. */
  readonly unless?: Exemption;
  /** Without it more calls are made, and nothing else changes: `prepare` does not check it. */
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
/** Renewing a token is done without a look at any machine. */
const looking: readonly PolicyRole[] = roles.filter((role) => role !== 'renew');
const asking: readonly PolicyRole[] = looking.filter(
  (role) => role !== 'onboard' && role !== 'status',
);

/** Roles that only check hosts. */
const checking: readonly PolicyRole[] = ['prepare', 'healthcheck'];

export const permissions: readonly Permission[] = [
  {
    action: 'ssm:GetParameter',
    on: 'state',
    roles,
    why: 'status, record, lock, hold',
  },
  {
    action: 'ssm:GetParameter',
    on: 'tokens',
    roles: ['onboard', ...removing, 'renew'],
    why: 'that the token is stored, or gone',
  },
  {
    action: 'ssm:GetParameters',
    on: 'state',
    roles,
    why: 'several of them in one call',
  },
  {
    action: 'ssm:GetParameters',
    on: 'tokens',
    roles: ['onboard', ...removing, 'renew'],
    why: 'a token together with them',
  },
  {
    action: 'ssm:GetParameterHistory',
    on: 'state',
    roles: [...writing, 'status'],
    why: 'the lock, which is its own history; the value that is not ours, where somebody else wrote meanwhile, and whether the status was switched before a person turned it back',
  },
  {
    action: 'ssm:PutParameter',
    on: 'record_and_lock',
    roles: writing,
    why: 'record and lock',
  },
  {
    action: 'ssm:PutParameter',
    on: 'status',
    roles: ['provision', 'promote', 'shutdown', 'bake', 'finalize', 'operator'],
    why: 'the switch, and the way back of a deployment that its bake finds bad',
  },
  {
    action: 'ssm:PutParameter',
    on: 'tokens',
    roles: ['onboard', 'provision', 'shutdown', 'bake', 'cleanup', 'finalize', 'renew', 'operator'],
    why: "the candidate's token; that the one of a removed shard is none any more; a new one for hosts that register later, also of the fleet that a bake goes back to",
  },
  {
    action: 'ssm:PutParameter',
    on: 'hold',
    roles: ['shutdown', 'bake', 'finalize', 'operator'],
    why: 'hold and release; the verdict of a bake that is left to a person',
  },
  {
    action: 'ssm:DeleteParameter',
    on: 'tokens',
    roles: [...removing, 'renew'],
    why: 'the token of a removed shard',
  },
  {
    action: 'ssm:DescribeInstanceInformation',
    on: 'anything',
    roles: looking,
    why: 'which hosts a shard has, whether their agent answers',
    unless: 'no_run_command',
  },
  {
    action: 'ssm:SendCommand',
    on: 'hosts',
    roles: asking,
    why: "ask the runner's process; SIGQUIT to an idle one; SIGTERM with drain.force_after only",
    unless: 'no_run_command',
  },
  {
    action: 'ssm:SendCommand',
    on: 'shell_document',
    roles: asking.filter((role) => !checking.includes(role)),
    why: 'by AWS-RunShellScript',
    unless: 'no_run_command',
  },
  {
    action: 'ssm:SendCommand',
    on: 'shell_document',
    roles: checking,
    why: 'checks, by AWS-RunShellScript',
    unless: 'check_document',
  },
  {
    action: 'ssm:SendCommand',
    on: 'check_document',
    roles: checking,
    why: 'checks, by the document of host.document alone',
    unless: 'no_check_document',
  },
  {
    action: 'ssm:GetCommandInvocation',
    on: 'anything',
    roles: asking,
    why: 'the answer to that',
    unless: 'no_run_command',
  },
  {
    action: 'ssm:ListCommandInvocations',
    on: 'anything',
    roles: asking,
    why: 'one list for the commands that run on the hosts of several stacks; without it each command is read by itself',
    unless: 'no_run_command',
    optional: true,
  },
  {
    action: 'ec2:DescribeInstances',
    on: 'anything',
    roles: looking,
    why: "EC2's own word of a shard's instances, terminated ones among them",
  },
  {
    action: 'cloudwatch:DescribeAlarms',
    on: 'anything',
    roles: ['shutdown', 'bake', 'finalize', 'operator'],
    why: 'bake.signals.cloudwatch_alarms',
    unless: 'no_alarms',
  },
  {
    action: 'ec2:TerminateInstances',
    on: 'named_instances',
    roles: ['operator'],
    why: 'recover --method terminate: a runner manager by its Name tag',
  },
  ...sweepPermissions,
];
