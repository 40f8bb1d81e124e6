import type { PrometheusQuery } from '../domain/settings.ts';
import type { Effects } from './effect.ts';

/**
 * What others know of a promoted shard. Every method may reject with a PortFailure: no answer is never
 * a good one and never a bad one.
 */
export interface Signals {
  /** The query as of now. */
  readMetric(query: PrometheusQuery): Promise<Metric>;
  /** What a judge of the user's own thinks of the deployment. */
  askWebhook(url: string, question: BakeQuestion): Promise<WebhookReading>;
}

export const signalEffects = {
  readMetric: 'reads',
  // A POST by form alone: by the contract of docs/use/bake.md it asks, and may be asked twice.
  askWebhook: 'reads',
} as const satisfies Effects<Signals>;

export interface Metric {
  /** The highest of all series that have a number; absent where none has. */
  readonly highest?: number;
  /** Which series has it, such as `{instance="i-0abc"}`. */
  readonly series?: string;
  /** Why the answer may not be whole, in the server's words. */
  readonly doubts: readonly string[];
}

/** Without secrets: it is sent to an address of the user's. */
export interface BakeQuestion {
  readonly deployment: string;
  readonly stack: string;
  /** The promoted one. */
  readonly shard: string;
}

/** `good`: 2xx. `bad`: 4xx, without those that speak of the asker (401, 403, 407, 408, 429). */
export interface WebhookReading {
  readonly kind: 'good' | 'bad' | 'unknown';
  /** The status, and the beginning of what was answered. */
  readonly detail: string;
}
