/** Something in AWS that carries exactly the stack's and the shard's tags. */
export interface TaggedResource {
  readonly kind: TaggedKind;
  /** Unique: `i-0abc…`, `sg-0abc…`, or the whole ARN where there is no shorter id. */
  readonly id: string;
  /** Its Name tag, where it has one. */
  readonly name?: string;
  /** EC2's word for its state, where it has one: `running`, `available`, `in-use`. */
  readonly state?: string;
}

export type TaggedKind =
  | 'instance'
  | 'network_interface'
  | 'security_group'
  | 'volume'
  | 'log_group'
  | 'auto_scaling_group'
  | 'launch_template'
  | 'other';
