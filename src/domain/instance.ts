/** Machine as EC2 reports it. */
export interface Instance {
  readonly id: string;
  readonly state: InstanceState;
  /** ISO 8601. */
  readonly launchedAt: string;
  /** All tags, including `Name` and those of AWS (`aws:…`). */
  readonly tags: Readonly<Record<string, string>>;
  /** Auto Scaling group that would replace the instance, if any. */
  readonly autoScalingGroup?: string;
  /** Ids of its disks and network interfaces. */
  readonly parts?: readonly string[];
  readonly publicIp?: string;
  readonly privateIp?: string;
  /** EC2's reason for the last change, such as `Client.UserInitiatedShutdown`. */
  readonly reason?: string;
}

/** State in EC2; `unknown` is an undocumented state and never counts as ended. */
export type InstanceState =
  | 'pending'
  | 'running'
  | 'stopping'
  | 'stopped'
  | 'shutting-down'
  | 'terminated'
  | 'unknown';

/** Returns whether nothing can run on the instance any more. A stopped one can be started again. */
export function isDead({ state }: Pick<Instance, 'state'>): boolean {
  return state === 'terminated';
}

/** Returns whether a process may run on the instance now, or soon. */
export function mayRun(state: InstanceState): boolean {
  return state === 'pending' || state === 'running' || state === 'unknown';
}

/** Returns whether the instance can still be terminated. */
export function isEndable({ state }: Pick<Instance, 'state'>): boolean {
  return state !== 'terminated' && state !== 'shutting-down';
}

/**
 * Formats EC2's states, newest first: `i-2 is terminated, i-1 is terminated`. Older terminated
 * instances, which EC2 lists for about an hour, are only counted.
 */
export function formatStates(
  instances: readonly Pick<Instance, 'id' | 'state' | 'launchedAt'>[],
): string {
  const newest = [...instances].sort((one, other) => (one.launchedAt < other.launchedAt ? 1 : -1));
  const shown = newest.filter((one, at) => at < 2 || !isDead(one));
  const words = shown.map(({ id, state }) => `${id} is ${state}`);
  const earlier = instances.length - shown.length;
  return [
    ...words,
    ...(earlier > 0
      ? [`${earlier} older ${earlier === 1 ? 'one is' : 'ones are'} terminated`]
      : []),
  ].join(', ');
}

export type ChosenInstance =
  | { readonly kind: 'one'; readonly instance: Instance }
  /** `ended`: terminated instances that EC2 still lists. */
  | { readonly kind: 'none'; readonly ended: readonly Instance[] }
  | { readonly kind: 'several'; readonly instances: readonly Instance[] };

/**
 * Chooses among instances with one name: EC2 names are not unique, and a terminated instance keeps
 * its name for about an hour.
 */
export function chooseInstance(instances: readonly Instance[]): ChosenInstance {
  const endable = instances.filter(isEndable);
  const [first, second] = endable;
  if (first === undefined) return { kind: 'none', ended: instances };
  if (second !== undefined) return { kind: 'several', instances: endable };
  return { kind: 'one', instance: first };
}
