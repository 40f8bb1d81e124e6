import type { TaggedResource } from '../../domain/plan/aws-resource.ts';
import type { StackShard } from '../../domain/shard.ts';
import type { Effects } from '../effect.ts';

/** What AWS says carries exactly the tags of a stack and a shard, in whose state ever. */
export interface Inventory {
  /**
   * Complete as far as AWS lists by tags, or rejected: a read that fails is not "nothing". The tagging
   * service is eventually consistent, so EC2 and Auto Scaling are asked themselves for what is theirs.
   * Terminated instances are left out, those that are shutting down are not. AWS lists no roles and
   * instance profiles by tags, so that IAM is asked for the names that the settings give.
   */
  list(shard: StackShard): Promise<readonly TaggedResource[]>;
  /**
   * Removes one resource of a kind that holds no data; its tags are read again right before. Rejects with `refused` for any other kind.
   */
  remove(resource: TaggedResource, shard: StackShard): Promise<'removed' | 'absent'>;
}

export const inventoryEffects = {
  list: 'reads',
  remove: 'irreversible',
} as const satisfies Effects<Inventory>;

export type { TaggedResource };
