import type { WaitingHook } from '../../domain/drain/lifecycle-hook.ts';
import type { StackShard } from '../../domain/shard.ts';
import type { Effects } from '../effect.ts';

/** Terminating hooks of Auto Scaling groups that wait for an instance of the shard. */
export interface LifecycleHooks {
  /** Instances of the shard that a terminating hook holds; complete, or rejected. */
  listWaiting(shard: StackShard): Promise<readonly WaitingHook[]>;
  /** Lets the group go on. `gone` where no such action waits any more. */
  complete(hook: WaitingHook): Promise<'completed' | 'gone'>;
}

export const hookEffects = {
  listWaiting: 'reads',
  // The instance has ended already; its group is let go on.
  complete: 'writes',
} as const satisfies Effects<LifecycleHooks>;

export type { WaitingHook };
