import type { StackShard } from '../domain/shard.ts';

/** Terminating hooks of Auto Scaling groups that wait for an instance of the shard. */
export interface LifecycleHooks {
  /** Instances of the shard that a terminating hook holds; complete, or rejected. */
  listWaiting(shard: StackShard): Promise<readonly WaitingHook[]>;
  /** Lets the group go on. `gone` where no such action waits any more. */
  complete(hook: WaitingHook): Promise<'completed' | 'gone'>;
}

export interface WaitingHook {
  readonly group: string;
  readonly hook: string;
  readonly instanceId: string;
  /** EC2's state of the instance; `absent` by EC2's own word, long after its end. */
  readonly instance: 'alive' | 'ending' | 'terminated' | 'absent';
}
