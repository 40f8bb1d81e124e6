/** Something in AWS that carries exactly the stack's and the shard's tags. */
export interface TaggedResource {
  readonly kind: TaggedKind;
  /** Unique: `i-0abc…`, `sg-0abc…`, or the whole ARN where there is no shorter id. */
  readonly id: string;
  /** Its Name tag, where it has one. */
  readonly name?: string;
  /** EC2's word for its state, where it has one: `running`, `available`, `in-use`. */
  readonly state?: string;
  /** What makes it and takes it along: an instance's Auto Scaling group, a disk's instance. */
  readonly partOf?: string;
}

interface Part {
  readonly id: string;
  readonly partOf?: string | undefined;
}

/** What the state has neither itself nor by what it is part of. */
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
