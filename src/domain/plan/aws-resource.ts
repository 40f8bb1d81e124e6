/** AWS resource that carries exactly the tags of the stack and the shard. */
export interface TaggedResource {
  readonly kind: TaggedKind;
  /** Unique id: `i-0abc…`, `sg-0abc…`, or the ARN if no shorter id exists. */
  readonly id: string;
  /** The Name tag, if any. */
  readonly name?: string;
  /** State as EC2 reports it, if any: `running`, `available`, `in-use`. */
  readonly state?: string;
  /** Resource that creates and removes it: an instance's Auto Scaling group, a disk's instance. */
  readonly partOf?: string;
}

interface Part {
  readonly id: string;
  readonly partOf?: string | undefined;
}

/**
 * Lists resources that the state contains neither directly nor through the resource they are part
 * of.
 */
export function notInState<T extends Part>(
  found: readonly T[],
  known: ReadonlySet<string>,
): readonly T[] {
  const isKnown = ({ id, partOf }: Part): boolean => {
    if (known.has(id)) return true;
    if (partOf === undefined) return false;
    return isKnown(found.find((one) => one.id === partOf) ?? { id: partOf });
  };
  return found.filter((one) => !isKnown(one));
}

export type TaggedKind =
  | 'instance'
  | 'network_interface'
  | 'security_group'
  | 'security_group_rule'
  | 'volume'
  | 'log_group'
  | 'auto_scaling_group'
  | 'launch_template'
  | 'instance_profile'
  | 'role'
  | 'other';
