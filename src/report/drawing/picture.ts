import type { Wait } from '../run-report.ts';
/** State of a shard at a time. A shard that does not exist is not drawn. */
export type DrawnState =
  | 'building'
  | 'quarantine'
  | 'serving'
  | 'active'
  | 'draining'
  | 'drained'
  | 'destroying';

/** Period of one state of a shard. Times are milliseconds since 1970. */
export interface DrawnSpan {
  readonly shard: string;
  readonly state: DrawnState;
  readonly from: number;
  readonly to: number;
}

export interface DrawnJob {
  readonly shard?: string | undefined;
  readonly startedAt?: number | undefined;
  /** Absent while the job runs. */
  readonly endedAt?: number | undefined;
  readonly kind: 'short' | 'long' | 'harmed';
  /** Text of the tooltip. */
  readonly text: string;
}

/** Both shards over time, as observed by the demo or recorded by a run of the product. */
export interface Picture {
  readonly from: number;
  readonly to: number;
  /** Time that the axis shows as 0:00. Default: `from`. */
  readonly origin?: number;
  readonly shards: readonly string[];
  readonly spans: readonly DrawnSpan[];
  /** Changes of the active shard in the status. */
  readonly switches: readonly { readonly at: number; readonly to: string }[];
  /** Consecutive parts of the period. */
  readonly scenes: readonly {
    readonly title: string;
    /** Number of the scene in the whole picture. Default: its number in this one. */
    readonly number?: number;
    readonly from: number;
    readonly to: number;
  }[];
  /** Instant events, such as a kill or an error. */
  readonly moments: readonly { readonly at: number; readonly text: string }[];
  readonly jobs: readonly DrawnJob[];
  /** Waits of the product. Absent if they were not recorded. */
  readonly waits?: readonly Wait[];
}
