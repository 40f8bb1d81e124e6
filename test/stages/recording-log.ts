import type { Log, LogEvent } from '../../src/ports/log-event.ts';

/** Keeps the lines and events of a stage. `witness` receives each event. */
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
