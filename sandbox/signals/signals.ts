import type { SandboxStore } from '../surroundings/store.ts';

/** Series with values in Prometheus's spelling, including NaN and the infinities. */
export interface Series {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: string;
}

/**
 * Response to a query. `silent` never responds, `malformed` is no response of Prometheus, and
 * `refused` is its error. A response that is `incomplete` has a warning, for example about an
 * unreachable store.
 */
export type QueryAnswer =
  | { readonly kind: 'series'; readonly series: readonly Series[]; readonly incomplete: boolean }
  | { readonly kind: 'silent' }
  | { readonly kind: 'malformed' }
  | { readonly kind: 'refused' };

export interface Alarm {
  readonly name: string;
  readonly kind: 'metric' | 'composite' | 'log';
  readonly state: 'OK' | 'ALARM' | 'INSUFFICIENT_DATA';
  readonly reason: string;
  readonly updatedAtMs: number;
}

export type WebhookAnswer =
  | { readonly kind: 'status'; readonly status: number; readonly body: string }
  | { readonly kind: 'silent' }
  | { readonly kind: 'malformed' };

/** Values that other systems report about a promoted shard, set through the control API. */
export class Signals {
  readonly #store: SandboxStore;
  readonly #now: () => number;
  readonly #scrapeMs: number;
  readonly #document: Document;

  constructor({ store, now, scrapeMs }: SignalsOptions) {
    this.#store = store;
    this.#now = now;
    this.#scrapeMs = scrapeMs;
    this.#document = store.load<Document>('signals') ?? { queries: {}, alarms: {}, asked: [] };
  }

  /**
   * Returns the response to a query. A query without a value finds no series, like an unknown
   * metric.
   */
  answerOf(query: string): QueryAnswer {
    const entry = this.#document.queries[query];
    if (entry === undefined) return none;
    // A number appears with the next scrape. A failure of the server takes effect at once.
    const isScraped = this.#now() - entry.saidAtMs >= this.#scrapeMs;
    return isScraped || entry.answer.kind !== 'series' ? entry.answer : (entry.before ?? none);
  }

  setQuery(query: string, answer: QueryAnswer): void {
    const before = this.answerOf(query);
    const answersSeries = before.kind === 'series' ? { before } : {};
    this.#document.queries[query] = { answer, saidAtMs: this.#now(), ...answersSeries };
    this.#save();
  }

  queries(): Readonly<Record<string, QueryAnswer>> {
    return Object.fromEntries(
      Object.entries(this.#document.queries).map(([query, { answer }]) => [query, answer]),
    );
  }

  alarms(): readonly Alarm[] {
    return Object.values(this.#document.alarms);
  }

  setAlarm(alarm: Omit<Alarm, 'updatedAtMs'>): void {
    this.#document.alarms[alarm.name] = { ...alarm, updatedAtMs: this.#now() };
    this.#save();
  }

  /** Removes an alarm. Returns whether it existed. */
  removeAlarm(name: string): boolean {
    const isThere = Object.hasOwn(this.#document.alarms, name);
    delete this.#document.alarms[name];
    this.#save();
    return isThere;
  }

  /** Returns the webhook's response. Without a value, its response is neither good nor bad. */
  webhook(): WebhookAnswer {
    return (
      this.#document.webhook ?? { kind: 'status', status: 503, body: 'no webhook response is set' }
    );
  }

  setWebhook(answer: WebhookAnswer): void {
    this.#document.webhook = answer;
    this.#save();
  }

  /** Returns the last requests to the webhook, oldest first. */
  webhookRequests(): readonly unknown[] {
    return this.#document.asked;
  }

  noteQuestion(question: unknown): void {
    this.#document.asked = [...this.#document.asked, question].slice(-mostQuestions);
    this.#save();
  }

  #save(): void {
    this.#store.save('signals', this.#document);
  }
}

export interface SignalsOptions {
  readonly store: SandboxStore;
  now(): number;
  /** Interval of Prometheus's scrapes. */
  readonly scrapeMs: number;
}

interface Document {
  queries: Record<string, { answer: QueryAnswer; saidAtMs: number; before?: QueryAnswer }>;
  alarms: Record<string, Alarm>;
  webhook?: WebhookAnswer;
  asked: readonly unknown[];
}

const none: QueryAnswer = { kind: 'series', series: [], incomplete: false };
const mostQuestions = 20;
