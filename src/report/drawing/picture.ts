import type { Wait } from '../run-report.ts';
/** What a shard is at a time; nothing is drawn of one that does not exist. */
export type DrawnState =
  | 'building'
  | 'quarantine'
  | 'serving'
  | 'active'
  | 'draining'
  | 'destroying';

/** Times are milliseconds since 1970. */
export interface DrawnSpan {
  readonly shard: string;
  readonly state: DrawnState;
  readonly from: number;
  readonly to: number;
}

export interface DrawnJob {
  readonly shard?: string | undefined;
  readonly startedAt?: number | undefined;
  /** Absent while it runs. */
  readonly endedAt?: number | undefined;
  readonly kind: 'short' | 'long' | 'harmed';
  /** For who points at it. */
  readonly said: string;
}

/** Both shards over time: what the demo has seen from outside, or what a run of the product tells. */
export interface Picture {
  readonly from: number;
  readonly to: number;
  /** What is called 0:00; `from` when absent. */
  readonly origin?: number;
  readonly shards: readonly string[];
  readonly spans: readonly DrawnSpan[];
  /** The status named another shard than before. */
  readonly switches: readonly { readonly at: number; readonly to: string }[];
  /** Parts of the time, side by side. */
  readonly scenes: readonly {
    readonly title: string;
    /** Its place among all; the one that it has here when absent. */
    readonly number?: number;
    readonly from: number;
    readonly to: number;
  }[];
  /** What befell somebody at once. */
  readonly moments: readonly { readonly at: number; readonly text: string }[];
  readonly jobs: readonly DrawnJob[];
  /** What the product waited for; absent where it was not asked. */
  readonly waits?: readonly Wait[];
}
