import type { Instance } from '../../domain/instance.ts';
import type { StackShard } from '../../domain/shard.ts';
import type { Effects } from '../effect.ts';

/** Machines as EC2 lists them, including stopped, unresponsive and terminated ones. */
export interface Instances {
  /**
   * Lists every instance whose Name tag is exactly the shard's: completely, or it rejects.
   * Terminated ones stay listed for about an hour. EC2 is eventually consistent: a new instance may
   * be missing, and an empty list alone proves nothing.
   */
  list(shard: StackShard): Promise<readonly Instance[]>;
  /**
   * Lists instances with both tags of the shard that are no managers: created by an autoscaler,
   * each with its group. Terminated ones are excluded. EC2 may not list a new one yet.
   */
  listWorkers(shard: StackShard): Promise<readonly Instance[]>;
  /**
   * Finds an instance by id, whatever its name. `undefined` only if EC2 does not list it: too new,
   * or long terminated.
   */
  find(id: string): Promise<Instance | undefined>;
  /**
   * Checks by EC2's dry run whether the credentials may terminate the instance. Changes nothing.
   */
  rehearseTermination(id: string): Promise<{ readonly kind: 'allowed' } | Denied>;
  /**
   * Terminates an instance of the shard and confirms it. Rejects with `refused` and without an
   * effect if its Name tag is not the shard's. Idempotent. The caller must check that the shard is
   * idle and inactive.
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
  /** AWS's reason in one line, verbatim. */
  readonly reason: string;
}

export type { Instance };
