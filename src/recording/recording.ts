import { createHmac } from 'node:crypto';
import { githubAnswers } from '../adapters/github/github-answers.ts';
import { gitlabAnswers } from '../adapters/gitlab/gitlab-answers.ts';
import type { Received, Send, Sending } from '../adapters/transport/send.ts';
import { mapTexts } from '../domain/output-schema.ts';
import { parseJson } from '../domain/text/json.ts';
import type { Clock } from '../ports/clock.ts';
import { readAnswerKnowledge } from './answer-knowledge.ts';
import { type Fields, fieldsOf } from './fields.ts';
import { maskAnswer } from './mask.ts';
import { maskRefusal } from './refusal-mask.ts';
import { type Route, routeOf } from './route.ts';

/** Increased when a reader of older files could misread new ones. */
export const recordingSchema = 1;
const readAnswers = { gitlab: gitlabAnswers, github: githubAnswers };

export interface RecordingOptions {
  readonly program: string;
  /** Id of this run in every line. */
  readonly run: string;
  /**
   * Salt of the pseudonyms. It is never written: with it, a reader could guess texts and compare
   * pseudonyms.
   */
  readonly salt: string;
  readonly clock: Pick<Clock, 'now' | 'elapsed'>;
  readonly redact: (text: string) => string;
  /** Receives a line of JSON without a line break. */
  readonly write: (line: string) => void;
}

const recordedHeaders = [
  'content-type',
  'ratelimit-remaining',
  'retry-after',
  'x-next-page',
  'x-page',
  'x-per-page',
  'x-total',
] as const;
/** Number of remembered responses, enough for all reads of one poll. */
const remembered = 100;

/**
 * Records responses of GitLab or GitHub in a form that users may publish
 * (docs/operate/recording.md). The exchange itself is unchanged.
 */
export function recordingSend(send: Send, options: RecordingOptions): Send {
  const note = createNotes(options);
  const sendNoting: Send = async (sending) => {
    const openedAt = options.clock.elapsed();
    const ms = () => Math.round(options.clock.elapsed() - openedAt);
    try {
      const received = await send(sending);
      note(sending, { ms: ms(), received });
      return received;
    } catch (error) {
      note(sending, { ms: ms(), failed: codeOf(error) });
      throw error;
    }
  };
  return Object.assign(sendNoting, { through: send.through });
}

type Noted =
  | { readonly ms: number; readonly failed: string }
  | { readonly ms: number; readonly received: Received };

function createNotes(options: RecordingOptions): (sending: Sending, noted: Noted) => void {
  const { program, run, clock, redact, write } = options;
  const masking = { pseudonym: pseudonymsOf(options.salt) };
  const { vocabulary } = readAnswerKnowledge();
  const versions = new Map<string, string>();
  const last = new Map<string, { text: string; n: number }>();
  const fields = new Map<string, Fields>();
  let n = 0;

  function writeEntry(fields: object): void {
    n += 1;
    const at = new Date(clock.now()).toISOString();
    // All values are masked already. The redactor is a second protection.
    write(JSON.stringify(mapTexts({ run, n, at, ...fields }, redact)));
  }

  function shorten(question: string, entry: object): object {
    const text = JSON.stringify(entry);
    const before = last.get(question);
    if (before?.text === text) return { same_as: before.n };
    last.delete(question);
    last.set(question, { text, n: n + 1 });
    const [oldest] = last.keys();
    if (last.size > remembered && oldest !== undefined) last.delete(oldest);
    return entry;
  }

  function fieldsAt(method: string, { system, pattern, query }: Route): Fields {
    const request = { call: `${method} ${pattern}`, status: query['status'] };
    const key = `${system} ${request.call} ${request.status}`;
    const known =
      fields.get(key) ?? fieldsOf(readersOf(system, request).map(({ schema }) => schema));
    fields.set(key, known);
    return known;
  }

  return ({ method, url }, noted) => {
    if (n === 0) writeEntry({ kind: 'recording', schema: recordingSchema, program });
    const route = routeOf(method, url, readAnswers);
    const { system, pattern, query } = route;
    const request = { kind: 'call', system, method, route: pattern, query, ms: noted.ms };
    if ('failed' in noted) return writeEntry({ ...request, failed: noted.failed });
    const { received } = noted;
    const version = versionIn(route, received) ?? versions.get(url.host);
    if (version !== undefined) versions.set(url.host, version);
    const entry = {
      status: received.status,
      headers: headersOf(received),
      ...bodyOf(received, fieldsAt(method, route), { masking, vocabulary }),
    };
    const short = shorten(`${method} ${url.href}`, entry);
    writeEntry({ ...request, ...(version === undefined ? {} : { version }), ...short });
  };
}

function bodyOf(
  { status, body, headers }: Received,
  fields: Fields,
  {
    masking,
    vocabulary,
  }: { masking: Parameters<typeof maskAnswer>[2]; vocabulary: ReadonlySet<string> },
): object {
  if (body === undefined) return { not_json: 'too large' };
  if (body === '') return {};
  const json = parseJson(body);
  if (json === undefined) {
    const isShort = status >= 400 && (headers.get('content-type') ?? '').startsWith('text/plain');
    const words = isShort ? { words: maskRefusal(body.slice(0, 300), vocabulary) } : {};
    return { not_json: `${body.length} characters`, ...words };
  }
  if (status >= 400) return { answer: maskRefusal(json, vocabulary) };
  return { answer: maskAnswer(json, fields, masking) };
}

/** Lists the readers of a call's response. */
export function readersOf(
  system: Route['system'],
  { call, status }: { call: string; status: string | undefined },
) {
  return readAnswers[system].filter(
    (reader) =>
      reader.call === call &&
      (reader.statuses === undefined || reader.statuses.includes(status ?? '')),
  );
}

function headersOf({ headers }: Received): Record<string, string> {
  const entry = recordedHeaders.flatMap((name) => {
    const value = headers.get(name);
    return value === null || !/^[\w/;=., +-]{0,80}$/.test(value) ? [] : [[name, value]];
  });
  return Object.fromEntries(entry);
}

/** Reads GitLab's version, which only one route returns. */
function versionIn({ system, pattern }: Route, { status, body }: Received): string | undefined {
  if (system !== 'gitlab' || pattern !== '/metadata' || status !== 200) return undefined;
  const { version } = (parseJson(body ?? '') ?? {}) as { version?: unknown };
  return typeof version === 'string' && /^[\w.+-]{1,60}$/.test(version) ? version : undefined;
}

function pseudonymsOf(salt: string): (text: string) => string {
  return (text) => `<text ${createHmac('sha256', salt).update(text).digest('hex').slice(0, 6)}>`;
}

/** Returns a code such as `ECONNRESET`. The message is dropped, because it names hosts. */
function codeOf(error: unknown): string {
  const { code, cause } = error as { code?: unknown; cause?: { code?: unknown } };
  const entry = String(code ?? cause?.code ?? '');
  return /^[A-Z][A-Z0-9_]{2,60}$/.test(entry) ? entry : 'no answer';
}
