import { inShell } from '../text/shell-quoting.ts';
import { notInState, type TaggedKind, type TaggedResource } from './aws-resource.ts';

export interface SweepPlan {
  /** Resources in the order of removal: dependent ones first. */
  readonly remove: readonly TaggedResource[];
  /** Resources whose removal has begun; the next check confirms it. */
  readonly ending: readonly TaggedResource[];
  readonly byHand: readonly ByHand[];
  /**
   * Machines of docker+machine and similar tools while a runner manager of the shard has not ended.
   */
  readonly workers: readonly TaggedResource[];
}

export interface Sweeping {
  /** Ids in the infrastructure state. */
  readonly known?: ReadonlySet<string> | undefined;
  /** Name tag of the shard's runner managers. */
  readonly manager?: string | undefined;
}

export interface ByHand {
  readonly resource: TaggedResource;
  readonly reason: string;
  /** Ready to paste; absent for an unknown kind. */
  readonly command?: string;
}

/**
 * Decides about resources with a shard's tags that are in no infrastructure state.
 * An instance is terminated with its disk, because it costs money and may take jobs.
 * Interfaces and security groups hold no data, and AWS refuses to remove one in use.
 * Roles and instance profiles hold no data, and nothing of the shard is left to use them.
 * Volumes and logs hold data that cannot be recovered: an operator decides.
 * An Auto Scaling group recreates its instances: an operator decides.
 *
 * An instance that is no manager is a worker. Its creator gives it the manager's tags, and no state
 * contains it. It may run a job, so it stays until no manager is left: its jobs have then ended
 * too.
 */
export function planSweep(
  found: readonly TaggedResource[],
  { known = new Set(), manager }: Sweeping = {},
): SweepPlan {
  const machines = found.filter(({ kind, state }) => kind === 'instance' && state !== 'terminated');
  const isManaged = manager !== undefined && machines.some(({ name }) => name === manager);
  const isWorker = (one: TaggedResource) => one.kind === 'instance' && one.name !== manager;
  const all = notInState(found, known);
  const workers = isManaged ? all.filter(isWorker) : [];
  const stays = (id: string | undefined) => workers.some((worker) => worker.id === id);
  // Disks and network interfaces are removed with their worker.
  const orphans = all.filter(({ id, partOf }) => !stays(id) && !stays(partOf));
  const groups = orphans.some(({ kind }) => kind === 'auto_scaling_group');
  const isRemovable = ({ kind }: TaggedResource) =>
    removedKinds.includes(kind) && !(groups && usedByGroups.includes(kind));
  const ending = orphans.filter((one) => one.kind === 'instance' && one.state === 'shutting-down');
  const alive = orphans.filter((one) => !ending.includes(one));
  return {
    workers,
    ending,
    remove: removedKinds.flatMap((kind) =>
      alive.filter((one) => one.kind === kind && isRemovable(one)),
    ),
    byHand: alive.filter((one) => !isRemovable(one)).map(formatByHand),
  };
}

export const removedKinds: readonly TaggedKind[] = [
  'instance',
  'network_interface',
  'security_group',
  'instance_profile',
  'role',
];

const usedByGroups: readonly TaggedKind[] = ['instance', 'instance_profile', 'role'];

function formatByHand(resource: TaggedResource): ByHand {
  const { kind, id } = resource;
  const command = commands[kind]?.(id);
  return {
    resource,
    reason: reasons[kind] ?? 'hosted-runner cannot remove it safely',
    ...(command === undefined ? {} : { command }),
  };
}

const reasons: Readonly<Partial<Record<TaggedKind, string>>> = {
  instance: 'an Auto Scaling group with the same tags would create it again',
  instance_profile: 'instances of an Auto Scaling group with the same tags may use it',
  role: 'instances of an Auto Scaling group with the same tags may use it',
  volume: 'its data would be lost permanently',
  log_group: 'its log would be lost permanently',
  auto_scaling_group: 'its instances end with it',
  launch_template: 'one of your groups may use it',
};

const commands: Readonly<Partial<Record<TaggedKind, (id: string) => string>>> = {
  instance: (id) => inShell`aws ec2 terminate-instances --instance-ids ${id}`,
  volume: (id) => inShell`aws ec2 delete-volume --volume-id ${id}`,
  log_group: (id) => inShell`aws logs delete-log-group --log-group-name ${id}`,
  auto_scaling_group: (id) =>
    inShell`aws autoscaling delete-auto-scaling-group --force-delete --auto-scaling-group-name ${id}`,
  launch_template: (id) => inShell`aws ec2 delete-launch-template --launch-template-id ${id}`,
};

/** Formats a resource: `security group sg-0abc "pink-linux_runner-manager" (in-use)`. */
export function describeTagged({ kind, id, name, state }: TaggedResource): string {
  const word = kind === 'other' ? 'resource' : kind.replaceAll('_', ' ');
  return `${word} ${id}${name === undefined ? '' : ` "${name}"`}${state === undefined ? '' : ` (${state})`}`;
}

export function describeKept({ resource, reason }: ByHand): string {
  return `${describeTagged(resource)} is left, because ${reason}`;
}

export function describeByHand(kept: ByHand): string {
  return describeKept(kept) + (kept.command === undefined ? '' : `: ${kept.command}`);
}

/** Formats the operator's commands; empty if there are none. */
export function formatRemoval(byHand: readonly ByHand[]): string {
  if (byHand.length === 0) return '';
  const steps = byHand.map(
    ({ resource, command }) => command ?? `remove ${describeTagged(resource)}`,
  );
  return `When its data is no longer needed: ${steps.join('; ')}`;
}
