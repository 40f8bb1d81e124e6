import type { Log, LogEvent } from '../../src/ports/log-event.ts';

/** Keeps what a stage says; a witness is told each event. */
export function createRecordingLog(witness?: (event: LogEvent) => void) {
  const lines: string[] = [];
  const events: LogEvent[] = [];
  const log: Log & { lines: string[]; events: LogEvent[] } = {
    lines,
    events,
    section: (title) => lines.push(`== ${title}`),
    act: (text) => lines.push(text),
    wait: (text) => {
      if (lines.at(-1) !== text) lines.push(text);
    },
    warn: (text) => lines.push(`! ${text}`),
    event(event) {
      events.push(event);
      witness?.(event);
    },
  };
  return log;
}
