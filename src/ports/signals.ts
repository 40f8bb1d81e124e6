import type { PrometheusQuery } from '../domain/settings.ts';
import type { Effects } from './effect.ts';

/**
 * Signals of other systems about a promoted shard. Every method may reject with a PortFailure: a
 * missing response is neither good nor bad.
 */
export interface Signals {
  /** Runs the query for the current time. */
  readMetric(query: PrometheusQuery): Promise<Metric>;
  /** Queries the user's webhook for its verdict on the deployment. */
  askWebhook(url: string, question: BakeQuestion): Promise<WebhookReading>;
}

export const signalEffects = {
  readMetric: 'reads',
  // A POST that only queries: by the contract of docs/use/bake.md, it may be repeated.
  askWebhook: 'reads',
} as const satisfies Effects<Signals>;

export interface Metric {
  /** Highest value of all series with a number; absent if no series has one. */
  readonly highest?: number;
  /** The series with that value, such as `{instance="i-0abc"}`. */
  readonly series?: string;
  /** Reasons why the response may be incomplete, as the server reports them. */
  readonly doubts: readonly string[];
}

/** Contains no secrets: it is sent to an address of the user. */
export interface BakeQuestion {
  readonly deployment: string;
  readonly stack: string;
  /** The promoted shard. */
  readonly shard: string;
}

/**
 * Result of the webhook. `good`: 2xx. `bad`: 4xx, except 401, 403, 407, 408 and 429, which concern
 * the caller.
 */
export interface WebhookReading {
  readonly kind: 'good' | 'bad' | 'unknown';
  /** The status, and the beginning of the response. */
  readonly detail: string;
}
