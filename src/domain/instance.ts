/** A machine as EC2 knows it. */
export interface Instance {
  readonly id: string;
  readonly state: InstanceState;
  /** ISO 8601. */
  readonly launchedAt: string;
  /** Every tag, `Name` and those that AWS adds (`aws:…`) among them. */
  readonly tags: Readonly<Record<string, string>>;
  /** Of the Auto Scaling group that would replace it, where it is in one. */
  readonly autoScalingGroup?: string;
  /** Ids of its disks and network interfaces. */
  readonly parts?: readonly string[];
  readonly publicIp?: string;
  readonly privateIp?: string;
  /** EC2's own words about its last change, e.g. `Client.UserInitiatedShutdown`. */
  readonly reason?: string;
}

/** `unknown` for a state that is not documented; it is never read as gone. */
export type InstanceState =
  | 'pending'
  | 'running'
  | 'stopping'
  | 'stopped'
  | 'shutting-down'
  | 'terminated'
  | 'unknown';

/** Nothing can run there any more, and it cannot come back. A stopped one can be started. */
export function isDead({ state }: Pick<Instance, 'state'>): boolean {
  return state === 'terminated';
}

/** Whether a process may run on it now, or soon. */
export function mayRun(state: InstanceState): boolean {
  return state === 'pending' || state === 'running' || state === 'unknown';
}

/** Whether it is still there to be ended. */
export function isEndable({ state }: Pick<Instance, 'state'>): boolean {
  return state !== 'terminated' && state !== 'shutting-down';
}

/**
 * What EC2 says of each, the newest first: `i-2 is terminated, i-1 is terminated`. Those of earlier
 * deployments are listed for about an hour, and are counted.
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
  /** `ended`: those that are terminated and still listed. */
  | { readonly kind: 'none'; readonly ended: readonly Instance[] }
  | { readonly kind: 'several'; readonly instances: readonly Instance[] };

/** Names are not unique in EC2, and a terminated instance keeps its name for about an hour. */
export function chooseInstance(instances: readonly Instance[]): ChosenInstance {
  const endable = instances.filter(isEndable);
  const [first, second] = endable;
  if (first === undefined) return { kind: 'none', ended: instances };
  if (second !== undefined) return { kind: 'several', instances: endable };
  return { kind: 'one', instance: first };
}
