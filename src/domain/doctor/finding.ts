import type { Shard } from '../shard.ts';
import type { CommandToType } from '../text/line-to-type.ts';

export interface FindingEntry {
  /** Beginning of a sentence, without a full stop. */
  readonly title: string;
  /** First symptom for an operator, for the runbook's table; absent if it is never the first. */
  readonly symptom?: string;
  readonly because: string;
  /** Commands in the order to run them; `{shard}` and `{id}` are filled in. */
  readonly commands: readonly CommandToType[];
  /** Action that no command of hosted-runner can do. */
  readonly byHand?: string;
  /** Kind of plan with which `doctor --fix` repairs the fault. */
  readonly fixes?: Repair['kind'];
}

/** Repairs that `doctor --fix` may make: each has one outcome, whatever caused the fault. */
export type Repair =
  | { readonly kind: 'write_status'; readonly active: string; readonly plan: string }
  | { readonly kind: 'release_lock'; readonly plan: string }
  | { readonly kind: 'remove_leftovers'; readonly shard: Shard; readonly plan: string };

/** Observation of a fault, and the values for the texts of its entry. */
export interface Sign {
  readonly seen: string;
  readonly shard?: string;
  readonly id?: string;
  readonly repair?: Repair;
  /** Replaces the catalogue's action that no command can do. */
  readonly byHand?: string;
  /** Replaces the catalogue's title if another cause needs the same actions. */
  readonly title?: string;
  readonly because?: string;
  /** Replaces the catalogue's commands. */
  readonly commands?: readonly CommandToType[];
}
