import type { WaitingHook } from '../../domain/drain/lifecycle-hook.ts';
import type { StackShard } from '../../domain/shard.ts';
import type { Effects } from '../effect.ts';

/** Terminating hooks of Auto Scaling groups that hold an instance of the shard. */
export interface LifecycleHooks {
  /** Lists the shard's instances that a terminating hook holds: completely, or it rejects. */
  listWaiting(shard: StackShard): Promise<readonly WaitingHook[]>;
  /** Completes the hook, so its group continues. `gone`: no such action waits any more. */
  complete(hook: WaitingHook): Promise<'completed' | 'gone'>;
}

export const hookEffects = {
  listWaiting: 'reads',
  // No irreversible effect: the instance has already ended, and only its group continues.
  complete: 'writes',
} as const satisfies Effects<LifecycleHooks>;

export type { WaitingHook };
