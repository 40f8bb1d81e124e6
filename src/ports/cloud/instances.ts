import type { Instance } from '../../domain/instance.ts';
import type { StackShard } from '../../domain/shard.ts';
import type { Effects } from '../effect.ts';

/** The machines as EC2 knows them: also those that are silent, stopped or gone. */
export interface Instances {
  /**
   * Every instance whose Name tag is exactly the shard's, complete or rejected; terminated ones for
   * about an hour after their end. EC2 is eventually consistent: one that was just made may be
   * missing, so that an empty list alone proves nothing.
   */
  list(shard: StackShard): Promise<readonly Instance[]>;
  /**
   * Instances with both tags of the shard that are no managers: what an autoscaler has made, each with its
   * group. Terminated ones are left out. EC2 may not list one that was just made.
   */
  listWorkers(shard: StackShard): Promise<readonly Instance[]>;
  /** By id, whatever it is called. `undefined` by EC2's own word only: not yet listed, or long gone. */
  find(id: string): Promise<Instance | undefined>;
  /** Whether the credentials may end it, by EC2's own dry run. Changes nothing. */
  rehearseTermination(id: string): Promise<{ readonly kind: 'allowed' } | Denied>;
  /**
   * Ends an instance of the shard and reads back that it ends. Rejects with `refused` and without an
   * effect where its Name tag is not the shard's. Idempotent. The guard (idle, inactive) is the caller's.
   */
  terminate(instance: {
    readonly id: string;
    readonly shard: StackShard;
  }): Promise<'ending' | 'ended_already'>;
}

export const instanceEffects = {
  list: 'reads',
  listWorkers: 'reads',
  find: 'reads',
  rehearseTermination: 'reads',
  terminate: 'irreversible',
} as const satisfies Effects<Instances>;

export interface Denied {
  readonly kind: 'denied';
  /** One line, AWS's own words. */
  readonly reason: string;
}

export type { Instance };
