export type CallPeriod = 'minute' | 'hour';

/** Call budget that the configuration sets for all stacks of one process. */
export interface CallLimit {
  /** Key that sets it: `gitlab.calls_per_hour`. */
  readonly key: string;
  readonly calls: number;
  readonly per: CallPeriod;
}

/** Formats `gitlab.calls_per_hour (15000)`. */
export function describeLimit({ key, calls }: CallLimit): string {
  return `${key} (${calls})`;
}

/** Limit that this process obeys, with its source. */
export type LimitInForce =
  | ({ readonly source: 'key' } & CallLimit)
  | {
      readonly source: 'response_header' | 'default';
      readonly calls: number;
      readonly per: CallPeriod;
    };

/** Calls to one endpoint by all stacks of this process together. */
export interface CallUsage {
  /** Name such as `GitLab` or `Parameter Store`. */
  readonly service: string;
  /** Host, or the kind of call that AWS counts separately; empty if the service has only one. */
  readonly endpoint: string;
  readonly calls: number;
  readonly last_minute: number;
  readonly last_hour: number;
  readonly throttled: number;
  readonly limits: readonly LimitInForce[];
  /** Newest reported rest; null if no response reported one, or if the period has ended since. */
  readonly remaining: {
    readonly calls: number;
    readonly of: number;
    /** ISO 8601, clock of this machine. */
    readonly resets_at: string;
  } | null;
}
