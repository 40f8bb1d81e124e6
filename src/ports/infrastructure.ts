import type { PlannedBuild } from '../domain/fingerprint/fingerprint.ts';
import type { Taken, TakenName } from '../domain/plan/plan-adoption.ts';
import type { PlannedUpdates } from '../domain/plan/plan-updates.ts';
import type { RunnerName, StackShard } from '../domain/shard.ts';
import type { Effects } from './effect.ts';
import type { ProbeResult } from './registry.ts';

/** What builds and destroys a shard. A stream of events that ends in a result. */
export interface Infrastructure {
  /** What an apply would do; `unknown` where the driver cannot tell without doing it. */
  plan(shard: StackShard, options?: PlanOptions): Promise<InfrastructurePlan>;
  /** Carries out exactly that plan. Safe to call again after a death in the middle. */
  apply(shard: StackShard, plan: InfrastructurePlan): AsyncIterable<InfrastructureEvent>;
  destroy(shard: StackShard): AsyncIterable<InfrastructureEvent>;
  /** Whether anything of the shard exists. `unknown` is never read as `absent`. */
  exists(shard: StackShard): Promise<'present' | 'absent' | 'unknown'>;
  /**
   * Ids, names and ARNs of everything in the driver's state, so that what carries our tags and is not
   * among it can be told; `unknown` where the driver cannot say.
   */
  listKnown(shard: StackShard): Promise<readonly string[] | 'unknown'>;
  /**
   * What the other methods need, looked at before anything is built: programs, their versions, folders,
   * the configuration, what holds its state, and the state's lock, which is taken and released. Writes
   * nothing else outside of this machine.
   */
  probe(runnerName: RunnerName): Promise<readonly ProbeResult[]>;
}

export const infrastructureEffects = {
  plan: 'reads',
  // A plan may replace a machine.
  apply: 'irreversible',
  destroy: 'irreversible',
  exists: 'reads',
  listKnown: 'reads',
  probe: 'reads',
} as const satisfies Effects<Infrastructure>;

export interface PlanOptions {
  /** Addresses that are built anew whatever they are like; drivers that know no addresses refuse it. */
  readonly replace?: readonly string[];
  /**
   * What an apply has found taken and may come into the state, where it carries exactly the shard's
   * tags; where it does not, the plan is refused.
   */
  readonly adopt?: readonly TakenName[];
}

export interface InfrastructurePlan {
  readonly kind: 'changes' | 'empty' | 'unknown';
  readonly summary: string;
  /** The driver's own handle, e.g. the path of a saved plan. */
  readonly handle?: string;
  /** Absent where the driver cannot tell what it would build. */
  readonly builds?: PlannedBuild;
  /** Absent where the driver cannot tell, or nothing changes in place. */
  readonly updates?: PlannedUpdates;
}

export type InfrastructureEvent =
  | { readonly kind: 'progress'; readonly text: string }
  | {
      readonly kind: 'done';
      readonly counts: ApplyCounts;
      readonly outputs: Readonly<Record<string, unknown>>;
    }
  /** It could not go on, because what exists in no state bears these names. */
  | { readonly kind: 'taken'; readonly names: readonly Taken[]; readonly error: Error };

export interface ApplyCounts {
  /** `undefined` where the driver did not say. */
  readonly added?: number;
  readonly changed?: number;
  readonly destroyed?: number;
}

export function describeCounts({ added, changed, destroyed }: ApplyCounts): string {
  const part = (count: number | undefined, word: string) => `${count ?? '?'} ${word}`;
  return [part(added, 'added'), part(changed, 'changed'), part(destroyed, 'destroyed')].join(', ');
}
