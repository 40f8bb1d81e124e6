import type { StackReport } from '../../operator/status-report.ts';

/** Facts about one stack. Times are milliseconds since 1970. */
export interface StackSight {
  readonly runner: string;
  /** Result of the newest successful check. Absent before the first one. */
  readonly seen?: { readonly report: StackReport; readonly at: number };
  /** Reason if `seen` is older than the newest check. */
  readonly trouble?: DashboardTrouble;
}

/** Fields of an error, or of a check that has not ended. */
export interface DashboardTrouble {
  /** Code of an error, for `explain`. */
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
