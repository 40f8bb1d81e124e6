import type { SandboxStore } from '../surroundings/store.ts';

/** As Prometheus spells a number, NaN and the infinities among them. */
export interface Series {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: string;
}

/**
 * What a query answers. `silent` never does, `malformed` is no answer of Prometheus, `refused` is its
 * own error; an answer that is `incomplete` carries a warning, as of a store that could not be reached.
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

/** What others would know of a promoted shard: here somebody says it. */
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

  /** A query that nobody has spoken of finds no series, as one whose metric does not exist. */
  answerOf(query: string): QueryAnswer {
    const said = this.#document.queries[query];
    if (said === undefined) return none;
    // A number is known with the scrape that comes next; whether the server answers, at once.
    const isScraped = this.#now() - said.saidAtMs >= this.#scrapeMs;
    return isScraped || said.answer.kind !== 'series' ? said.answer : (said.before ?? none);
  }

  sayOfQuery(query: string, answer: QueryAnswer): void {
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

  sayOfAlarm(alarm: Omit<Alarm, 'updatedAtMs'>): void {
    this.#document.alarms[alarm.name] = { ...alarm, updatedAtMs: this.#now() };
    this.#save();
  }

  /** Whether there was one. */
  removeAlarm(name: string): boolean {
    const isThere = Object.hasOwn(this.#document.alarms, name);
    delete this.#document.alarms[name];
    this.#save();
    return isThere;
  }

  /** One that nobody has set up says so, which is neither good nor bad. */
  webhook(): WebhookAnswer {
    return this.#document.webhook ?? { kind: 'status', status: 503, body: 'nobody is set up here' };
  }

  sayOfWebhook(answer: WebhookAnswer): void {
    this.#document.webhook = answer;
    this.#save();
  }

  /** The last questions of the webhook, the oldest first. */
  asked(): readonly unknown[] {
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
  /** Between two scrapes of Prometheus. */
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
