import type { PlannedBuild } from '../domain/fingerprint/fingerprint.ts';
import type { Taken, TakenName } from '../domain/plan/plan-adoption.ts';
import type { PlannedUpdates } from '../domain/plan/plan-updates.ts';
import type { RunnerName, StackShard } from '../domain/shard.ts';
import type { Effects } from './effect.ts';
import type { ProbeResult } from './registry.ts';

/** Driver that builds and destroys a shard, as streams of events that end in a result. */
export interface Infrastructure {
  /** Plans an apply; `unknown` if the driver can only apply. */
  plan(shard: StackShard, options?: PlanOptions): Promise<InfrastructurePlan>;
  /** Applies exactly that plan. Repeatable after a crash during the apply. */
  apply(shard: StackShard, plan: InfrastructurePlan): AsyncIterable<InfrastructureEvent>;
  destroy(shard: StackShard): AsyncIterable<InfrastructureEvent>;
  /** Returns whether any resource of the shard exists. `unknown` never counts as `absent`. */
  exists(shard: StackShard): Promise<'present' | 'absent' | 'unknown'>;
  /**
   * Lists ids, names and ARNs of all resources in the driver's state, to find tagged resources
   * outside it; `unknown` if the driver cannot list them.
   */
  listKnown(shard: StackShard): Promise<readonly string[] | 'unknown'>;
  /**
   * Checks the requirements of the other methods before anything is built: programs and versions,
   * folders, the configuration, the state and its lock. It takes and releases the lock, and
   * otherwise writes nothing outside this machine.
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
  /** Addresses to rebuild unconditionally; drivers without addresses refuse them. */
  readonly replace?: readonly string[];
  /**
   * Existing resources that an apply found, to be imported if they carry exactly the shard's tags.
   * Otherwise the plan is refused.
   */
  readonly adopt?: readonly TakenName[];
}

export interface InfrastructurePlan {
  readonly kind: 'changes' | 'empty' | 'unknown';
  readonly summary: string;
  /** Handle of the driver, such as the path of a saved plan. */
  readonly handle?: string;
  /** Absent if the driver cannot report what it would build. */
  readonly builds?: PlannedBuild;
  /** Absent if the driver cannot report it, or nothing changes in place. */
  readonly updates?: PlannedUpdates;
}

export type InfrastructureEvent =
  | { readonly kind: 'progress'; readonly text: string }
  | {
      readonly kind: 'done';
      readonly counts: ApplyCounts;
      readonly outputs: Readonly<Record<string, unknown>>;
    }
  /** The apply stopped, because resources outside the state have these names. */
  | { readonly kind: 'taken'; readonly names: readonly Taken[]; readonly error: Error };

export interface ApplyCounts {
  /** `undefined` if the driver did not report it. */
  readonly added?: number;
  readonly changed?: number;
  readonly destroyed?: number;
}

export function describeCounts({ added, changed, destroyed }: ApplyCounts): string {
  const part = (count: number | undefined, word: string) => `${count ?? '?'} ${word}`;
  return [part(added, 'added'), part(changed, 'changed'), part(destroyed, 'destroyed')].join(', ');
}
