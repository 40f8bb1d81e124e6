import type { Shard } from '../shard.ts';
import type { CommandToType } from '../text/line-to-type.ts';

/** What may be wrong with a stack; the order is the order in which it is mended. */
export const findingCodes = [
  'held',
  'credentials_refused',
  'permission_missing',
  'source_silent',
  'record_newer',
  'record_illegible',
  'lock_alive',
  'lock_unproven',
  'lock_illegible',
  'runs_on_itself',
  // Before the pipeline that runs: its next stage would stop at what is missing.
  'status_lost',
  'deployment_running',
  'status_illegible',
  'status_edited',
  'record_lost',
  'nothing_known',
  'never_deployed',
  // Before who serves: a fleet whose hosts all wait has no runner that could.
  'token_ended',
  'nothing_serves',
  'promoted_closed',
  'rollback_possible',
  'opened_twice',
  'opened_by_other',
  'candidate_serves',
  'two_instances',
  'retreat_unfinished',
  'registration_gone',
  'state_lost',
  'resources_gone',
  'instance_silent',
  'candidate_unhealthy',
  'provision_unfinished',
  'drain_waits',
  'drain_unheard',
  'retirement_unfinished',
  'both_serve',
  'inactive_serves',
  'inactive_left',
  'active_irregular',
  'runner_missing',
  'clock_off',
  'runner_token_ends',
  'version_ends',
  'leftovers',
  'lock_stale',
  'healthy',
] as const;

export type FindingCode = (typeof findingCodes)[number];

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

export interface Finding {
  readonly code: FindingCode;
  readonly title: string;
  /** The values that it was read from, each with who says so. */
  readonly seen: string;
  readonly because: string;
  readonly commands: readonly CommandToType[];
  readonly byHand?: string;
  readonly repair?: Repair;
}

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
