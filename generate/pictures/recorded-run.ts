import type { LogEvent } from '../../src/ports/log-event.ts';

/** Recorded event, and its time in milliseconds since 1970. */
export interface RecordedEvent {
  readonly at: number;
  readonly event: LogEvent;
}

/**
 * Reads docs/pictures/deployment.jsonl, which scripts/record-run.js extracts from an event file.
 */
export function readRun(text: string): readonly RecordedEvent[] {
  return text
    .trim()
    .split('\n')
    .map((line) => {
      const { at, kind, stack, ...rest } = JSON.parse(line) as Record<string, unknown>;
      // A stack keeps the field names of the file; all other fields get hosted-runner's names.
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
