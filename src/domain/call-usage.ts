export type CallPeriod = 'minute' | 'hour';

/** A budget that the configuration sets for all stacks of one process. */
export interface CallLimit {
  /** The key that sets it: `gitlab.calls_per_hour`. */
  readonly key: string;
  readonly calls: number;
  readonly per: CallPeriod;
}

/** `gitlab.calls_per_hour (15000)`. */
export function describeLimit({ key, calls }: CallLimit): string {
  return `${key} (${calls})`;
}

/** A limit that the calls of this process obey, and where it comes from. */
export type LimitInForce =
  | ({ readonly source: 'key' } & CallLimit)
  | {
      readonly source: 'response_header' | 'default';
      readonly calls: number;
      readonly per: CallPeriod;
    };

/** What one endpoint was called, by all stacks of this process together. */
export interface CallUsage {
  /** `GitLab`, `Parameter Store`. */
  readonly service: string;
  /** The host, or the kind of call that AWS counts by itself; empty if the service has one only. */
  readonly endpoint: string;
  readonly calls: number;
  readonly last_minute: number;
  readonly last_hour: number;
  readonly throttled: number;
  readonly limits: readonly LimitInForce[];
  /** By its newest response that reported it; null if none did, or if the period has ended since. */
  readonly remaining: {
    readonly calls: number;
    readonly of: number;
    /** ISO 8601, by the clock of this machine. */
    readonly resets_at: string;
  } | null;
}
