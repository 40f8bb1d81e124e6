import { retiredToken } from '../../domain/deployment/token-retirement.ts';
import { inSnakeCase, mapTexts } from '../../domain/output-schema.ts';
import type { Clock } from '../../ports/clock.ts';
import type { BeginEvent, CallEvent, LogEvent } from '../../ports/log-event.ts';
import { portOf } from '../../ports/ports.ts';

/**
 * Parameters with public content. The values of all others are hidden, because they include tokens.
 */
const readable = /\/deployment_(status|record|lock|hold)$/;
/** Log lines of a host belong to customers, and are long. */
const leftOut = new Set(['log']);
/**
 * Secret fields. An operator's note is one: GitLab shows it only to users who may change the
 * runner.
 */
const secret = new Set(['token', 'password', 'secret_access_key', 'session_token', 'note']);
const mostCharacters = 5000;

/**
 * Returns the part of a call for the event file, without secret fields, even if the redactor does
 * not know them.
 */
function shownCall(event: BeginEvent | CallEvent): Record<string, unknown> {
  const { call, args } = event;
  const hidden = portOf(call) === 'parameters' && !readable.test(nameIn(args));
  return Object.fromEntries(
    Object.entries(event).map(([key, value]) => [key, shownValue(value, hidden)]),
  );
}

function nameIn([first]: readonly unknown[]): string {
  if (typeof first === 'string') return first;
  const name = (first as { name?: unknown } | undefined)?.name;
  return typeof name === 'string' ? name : '';
}

function shownValue(value: unknown, hidesValues = false): unknown {
  if (typeof value === 'string')
    return value.length > mostCharacters ? `${value.slice(0, mostCharacters)}…` : value;
  if (value instanceof Error) return shownValue(`${value.name}: ${value.message}`);
  if (Array.isArray(value)) return value.map((entry) => shownValue(entry, hidesValues));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).flatMap(([key, entry]) => {
    if (leftOut.has(key)) return [];
    const hides = secret.has(key) || (hidesValues && key === 'value' && entry !== retiredToken);
    return [[key, hides && entry !== undefined ? '(not shown)' : shownValue(entry, hidesValues)]];
  });
  return Object.fromEntries(entries);
}

export interface EventLines {
  /** Id of this run in every line, because a file may contain several runs. */
  readonly run: string;
  readonly clock: Pick<Clock, 'now' | 'elapsed'>;
  readonly redact: (text: string) => string;
  /** Receives a line of JSON without a line break. */
  readonly write: (line: string) => void;
}

/**
 * Number of remembered responses: enough for all reads of one poll, and small during a long drain.
 */
const remembered = 200;

/**
 * Writes events as lines of JSON (docs/operate/evidence.md) with time, run and number. A read with
 * the same response as before refers to it instead of repeating it. This keeps the file of a long
 * drain small.
 */
export function createEventLines(options: EventLines): (event: LogEvent) => void {
  const { run, clock, redact, write } = options;
  const startedAt = clock.elapsed();
  const answers = new Map<string, { answer: string; n: number }>();
  let n = 0;

  function shortened(event: Record<string, unknown>): Record<string, unknown> {
    if (event['kind'] !== 'call' || event['outcome'] !== 'answered' || event['effect'] === true)
      return event;
    const { args, answer, ...rest } = event;
    const question = `${event['call']} ${JSON.stringify(args)}`;
    const text = JSON.stringify(answer) ?? '';
    const before = answers.get(question);
    if (before?.answer === text) return { ...rest, same_as: before.n };
    answers.delete(question);
    answers.set(question, { answer: text, n });
    const [oldest] = answers.keys();
    if (answers.size > remembered && oldest !== undefined) answers.delete(oldest);
    return event;
  }

  return (event) => {
    n += 1;
    const at = new Date(clock.now()).toISOString();
    const ms = Math.round(clock.elapsed() - startedAt);
    const shown = 'call' in event ? shownCall(event) : shownValue(event);
    const clean = inSnakeCase(mapTexts(shown, redact)) as Record<string, unknown>;
    write(JSON.stringify({ at, ms, run, n, ...shortened(clean) }));
  };
}
