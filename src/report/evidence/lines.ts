import type { Clock } from '../../ports/clock.ts';
import type { LogEvent } from '../../ports/log.ts';
import { shownCall, shownValue } from './shown.ts';

export interface EvidenceLines {
  /** Names this run of the program in every line: a file may hold the lines of several runs. */
  readonly run: string;
  readonly clock: Pick<Clock, 'now' | 'elapsed'>;
  readonly redact: (text: string) => string;
  /** Gets a line of JSON without its line end. */
  readonly write: (line: string) => void;
}

/** Enough for the reads of one poll of everything; the memory of a drain of days stays small. */
const remembered = 200;

/**
 * Events as lines of JSON (docs/evidence.md): each with its time, its run and its number. A read that
 * answered the same as the time before says so, in place of the answer: a drain of days stays small.
 */
export function createEvidenceLines(options: EvidenceLines): (event: LogEvent) => void {
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
    const shown = 'call' in event ? shownCall(event) : (shownValue(event) as LogEvent);
    const clean = redacted(shown, redact) as Record<string, unknown>;
    write(JSON.stringify({ at, ms, run, n, ...shortened(clean) }));
  };
}

/** Text by text: a secret that is replaced inside of the JSON could break its quotes. */
function redacted(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map((entry) => redacted(entry, redact));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [redact(key), redacted(entry, redact)]),
  );
}
