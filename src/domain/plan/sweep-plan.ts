import { inShell } from '../text/shell-quoting.ts';
import { notInState, type TaggedKind, type TaggedResource } from './aws-resource.ts';

export interface SweepPlan {
  /** In this order: what stands on others goes first. */
  readonly remove: readonly TaggedResource[];
  /** Going already; the next look will show it gone. */
  readonly ending: readonly TaggedResource[];
  readonly byHand: readonly ByHand[];
  /** Machines of docker+machine and the like, as long as a runner manager of the shard has not ended. */
  readonly workers: readonly TaggedResource[];
}

export interface Sweeping {
  /** Ids that the infrastructure's state has. */
  readonly known?: ReadonlySet<string> | undefined;
  /** Name tag of the shard's runner managers. */
  readonly manager?: string | undefined;
}

export interface ByHand {
  readonly resource: TaggedResource;
  readonly reason: string;
  /** Ready to paste; absent where the kind is not known. */
  readonly command?: string;
}

/**
 * What becomes of resources with a shard's tags that are in no infrastructure's state. An instance
 * is ended because it costs money and may take jobs, and its disk ends with it. Interfaces and
 * security groups hold no data, and AWS refuses to remove one that is used. A role and its instance
 * profile hold none either, and nothing of the shard is left that could use them. Volumes and logs
 * hold what cannot be brought back, and a group makes instances anew: these are a person's.
 *
 * An instance that is no manager is a worker: what makes workers gives them the manager's tags, and no
 * state has them. Its manager may have a job on it, so that it stays until no manager is left, by whose
 * end its jobs have ended, too.
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
  // Disks and network interfaces go with the worker that they are part of.
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
    reason: reasons[kind] ?? 'this program does not know how to remove it safely',
    ...(command === undefined ? {} : { command }),
  };
}

const reasons: Readonly<Partial<Record<TaggedKind, string>>> = {
  instance: 'an Auto Scaling group with the same tags would make it anew',
  instance_profile: 'instances of an Auto Scaling group with the same tags may use it',
  role: 'instances of an Auto Scaling group with the same tags may use it',
  volume: 'its data cannot be brought back',
  log_group: 'its log cannot be brought back',
  auto_scaling_group: 'its instances end with it',
  launch_template: 'a group of yours may use it',
};

const commands: Readonly<Partial<Record<TaggedKind, (id: string) => string>>> = {
  instance: (id) => inShell`aws ec2 terminate-instances --instance-ids ${id}`,
  volume: (id) => inShell`aws ec2 delete-volume --volume-id ${id}`,
  log_group: (id) => inShell`aws logs delete-log-group --log-group-name ${id}`,
  auto_scaling_group: (id) =>
    inShell`aws autoscaling delete-auto-scaling-group --force-delete --auto-scaling-group-name ${id}`,
  launch_template: (id) => inShell`aws ec2 delete-launch-template --launch-template-id ${id}`,
};

/** `security group sg-0abc "pink-linux_runner-manager" (in-use)`. */
export function describeTagged({ kind, id, name, state }: TaggedResource): string {
  const word = kind === 'other' ? 'resource' : kind.replaceAll('_', ' ');
  return `${word} ${id}${name === undefined ? '' : ` "${name}"`}${state === undefined ? '' : ` (${state})`}`;
}

export function describeKept({ resource, reason }: ByHand): string {
  return `${describeTagged(resource)} is left, and ${reason}`;
}

export function describeByHand(kept: ByHand): string {
  return describeKept(kept) + (kept.command === undefined ? '' : `: ${kept.command}`);
}

/** What a person does about them; empty where there is nothing. */
export function formatRemoval(byHand: readonly ByHand[]): string {
  if (byHand.length === 0) return '';
  const steps = byHand.map(
    ({ resource, command }) => command ?? `remove ${describeTagged(resource)}`,
  );
  return `Once nobody needs what it holds: ${steps.join('; ')}`;
}
