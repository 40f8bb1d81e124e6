import type { Shard } from '../shard.ts';
import type { CommandToType } from '../text/line-to-type.ts';

export interface FindingEntry {
  /** A sentence's beginning, without a dot. */
  readonly title: string;
  /** What a person sees first, for the runbook's table; absent: never what brings somebody here. */
  readonly symptom?: string;
  readonly because: string;
  /** What to type, in this order; `{shard}` and `{id}` are filled in. */
  readonly commands: readonly CommandToType[];
  /** What no command of this program can do. */
  readonly byHand?: string;
  /** Whether a plan of `doctor --fix` mends it. */
  readonly fixes?: Repair['kind'];
}

/** What `doctor --fix` may do: only what has one outcome, whatever the reason was. */
export type Repair =
  | { readonly kind: 'write_status'; readonly active: string; readonly plan: string }
  | { readonly kind: 'release_lock'; readonly plan: string }
  | { readonly kind: 'remove_leftovers'; readonly shard: Shard; readonly plan: string };

/** What a sign gives: what was seen, and what the entry's text is filled with. */
export interface Sign {
  readonly seen: string;
  readonly shard?: string;
  readonly id?: string;
  readonly repair?: Repair;
  /** Instead of the catalogue's, what no command of this program can do. */
  readonly byHand?: string;
  /** Instead of the catalogue's, where the same is to be done for another reason. */
  readonly title?: string;
  readonly because?: string;
  /** Instead of the catalogue's commands. */
  readonly commands?: readonly CommandToType[];
}
