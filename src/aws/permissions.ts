/** Whose role it is: a stage of a pipeline, or a person with the operator's commands. */
export type Role = (typeof roles)[number];

export const roles = [
  'prepare',
  'onboard',
  'provision',
  'promote',
  'shutdown',
  'cleanup',
  'finalize',
  'healthcheck',
  'status',
  'operator',
] as const;

/** One action of AWS on one kind of thing. Policies, the probe of `prepare` and the docs read this. */
export interface Permission {
  readonly action: string;
  readonly on: Scope;
  readonly roles: readonly Role[];
  readonly why: string;
  /** The configuration without which nobody asks for it. */
  readonly unless?: 'no_run_command' | 'no_sweep';
}

export type Scope =
  | 'state'
  | 'record_and_lock'
  | 'status'
  | 'hold'
  | 'tokens'
  | 'anything'
  | 'hosts'
  | 'shell_document'
  | 'named_instances'
  | 'tagged_instances'
  | 'tagged_interfaces'
  | 'tagged_security_groups'
  | 'tagged_groups';

const writing: readonly Role[] = roles.filter(
  (role) => role !== 'healthcheck' && role !== 'status',
);
/** Provision and promote too, because they take back a candidate that turns unhealthy. */
const removing: readonly Role[] = ['provision', 'promote', 'cleanup', 'finalize', 'operator'];
const asking: readonly Role[] = [
  'prepare',
  'provision',
  'promote',
  'shutdown',
  'cleanup',
  'finalize',
  'healthcheck',
  'operator',
];

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
    roles: ['onboard', ...removing],
    why: 'that the token is stored, or gone',
  },
  {
    action: 'ssm:GetParameterHistory',
    on: 'state',
    roles: writing,
    why: 'the value that is not ours, where somebody else wrote meanwhile',
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
    roles: ['provision', 'promote', 'operator'],
    why: 'the switch',
  },
  {
    action: 'ssm:PutParameter',
    on: 'tokens',
    roles: ['onboard', 'provision', 'operator'],
    why: "the candidate's token",
  },
  { action: 'ssm:PutParameter', on: 'hold', roles: ['operator'], why: 'hold' },
  {
    action: 'ssm:DeleteParameter',
    on: 'record_and_lock',
    roles: writing,
    why: 'the lock, at each end',
  },
  {
    action: 'ssm:DeleteParameter',
    on: 'tokens',
    roles: removing,
    why: 'the token of a removed shard',
  },
  { action: 'ssm:DeleteParameter', on: 'hold', roles: ['operator'], why: 'release' },
  {
    action: 'ssm:DescribeInstanceInformation',
    on: 'anything',
    roles,
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
    roles: asking,
    why: 'by AWS-RunShellScript',
    unless: 'no_run_command',
  },
  {
    action: 'ssm:GetCommandInvocation',
    on: 'anything',
    roles: asking,
    why: 'the answer to that',
    unless: 'no_run_command',
  },
  {
    action: 'ec2:DescribeInstances',
    on: 'anything',
    roles,
    why: "EC2's own word of a shard's instances, terminated ones among them",
  },
  {
    action: 'ec2:TerminateInstances',
    on: 'named_instances',
    roles: ['operator'],
    why: 'recover --method terminate: a runner manager by its Name tag',
  },
  {
    action: 'ec2:TerminateInstances',
    on: 'tagged_instances',
    roles: removing,
    why: 'instances of a removed shard that are in no state',
    unless: 'no_sweep',
  },
  {
    action: 'ec2:DescribeTags',
    on: 'anything',
    roles: removing,
    why: "what of EC2 carries a removed shard's tags",
    unless: 'no_sweep',
  },
  {
    action: 'tag:GetResources',
    on: 'anything',
    roles: removing,
    why: 'what else carries them',
    unless: 'no_sweep',
  },
  {
    action: 'ec2:DeleteNetworkInterface',
    on: 'tagged_interfaces',
    roles: removing,
    why: 'interfaces of a removed shard that are in no state',
    unless: 'no_sweep',
  },
  {
    action: 'ec2:DeleteSecurityGroup',
    on: 'tagged_security_groups',
    roles: removing,
    why: 'security groups of a removed shard that are in no state',
    unless: 'no_sweep',
  },
  {
    action: 'autoscaling:DescribeAutoScalingGroups',
    on: 'anything',
    roles: removing,
    why: 'groups with the tags, and instances that their hooks hold',
    unless: 'no_sweep',
  },
  {
    action: 'autoscaling:DescribeLifecycleHooks',
    on: 'anything',
    roles: removing,
    why: 'which hook holds an instance that is gone',
    unless: 'no_sweep',
  },
  {
    action: 'autoscaling:CompleteLifecycleAction',
    on: 'tagged_groups',
    roles: removing,
    why: 'let a group go on whose instance is gone',
    unless: 'no_sweep',
  },
];
