import type { TaggedResource } from '../../domain/plan/aws-resource.ts';
import type { StackShard } from '../../domain/shard.ts';
import type { Effects } from '../effect.ts';

/**
 * AWS resources that carry exactly the tags of a stack and a shard, whatever state contains them.
 */
export interface Inventory {
  /**
   * Lists the resources completely, as far as AWS lists by tags, or rejects: a failed read never
   * counts as an empty list. The tagging service is eventually consistent, so EC2 and Auto Scaling
   * are queried directly. Terminated instances are excluded, those that are shutting down are
   * included. AWS does not list roles and instance profiles by tags, so IAM is queried for the
   * configured names.
   */
  list(shard: StackShard): Promise<readonly TaggedResource[]>;
  /**
   * Removes one resource of a kind without data, after it has read the tags again. Rejects with
   * `refused` for any other kind.
   */
  remove(resource: TaggedResource, shard: StackShard): Promise<'removed' | 'absent'>;
}

export const inventoryEffects = {
  list: 'reads',
  remove: 'irreversible',
} as const satisfies Effects<Inventory>;

export type { TaggedResource };
