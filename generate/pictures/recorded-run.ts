import type { LogEvent } from '../../src/ports/log-event.ts';

/** An event of a run that was recorded, and when it was, in milliseconds since 1970. */
export interface RecordedEvent {
  readonly at: number;
  readonly event: LogEvent;
}

/** The lines of docs/pictures/deployment.jsonl, which scripts/record-run.js has kept of an event file. */
export function readRun(text: string): readonly RecordedEvent[] {
  return text
    .trim()
    .split('\n')
    .map((line) => {
      const { at, kind, stack, ...rest } = JSON.parse(line) as Record<string, unknown>;
      // The name of a stack is read as it is written; everything else has the names of our own fields.
      const event = { kind, ...(stack === undefined ? {} : { stack }), ...(camel(rest) as object) };
      return { at: Date.parse(String(at)), event: event as LogEvent };
    });
}

function camel(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(camel);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [
      key.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
      camel(one),
    ]),
  );
}
