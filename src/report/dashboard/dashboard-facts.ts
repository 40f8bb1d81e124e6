import type { StackReport } from '../../operator/status-report.ts';

/** What is known of one stack; times are milliseconds since 1970. */
export interface StackSight {
  readonly runner: string;
  /** By the newest look that was answered; absent where none was yet. */
  readonly seen?: { readonly report: StackReport; readonly at: number };
  /** Why what stands there is not of the newest look. */
  readonly trouble?: DashboardTrouble;
}

/** The fields of an error, or of a look that has not come back. */
export interface DashboardTrouble {
  /** Of an error: what `explain` takes. */
  readonly code?: string;
  readonly what: string;
  readonly why?: readonly string[];
  readonly now?: string;
  readonly fix: readonly string[];
}

export interface DashboardFacts {
  readonly now: number;
  readonly stacks: readonly StackSight[];
}
