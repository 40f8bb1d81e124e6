import { reasonOf } from '../../domain/text/truncate-reason.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log, LogEvent } from '../../ports/log-event.ts';
import { sanitizeLine } from '../transport/words/sanitize.ts';
import type { LiveLine } from './live-line.ts';

/** Remembers reported waits, to print a reason once and not at every poll. */
interface Waits {
  note(text: string): { isDue: boolean; sinceMs: number };
  forget(): void;
}

const repeatMs = 60_000;

function createWaits(clock: Clock): Waits {
  let current: { reason: string; startedAt: number; printedAt: number } | undefined;
  return {
    note(text) {
      const reason = reasonOf(text);
      const at = clock.elapsed();
      if (current === undefined || current.reason !== reason) {
        current = { reason, startedAt: at, printedAt: at };
        return { isDue: true, sinceMs: at };
      }
      const isDue = at - current.printedAt >= repeatMs;
      if (isDue) current.printedAt = at;
      return { isDue, sinceMs: current.startedAt };
    },
    forget() {
      current = undefined;
    },
  };
}

export interface LogOptions {
  /** Writes whole lines to standard output. */
  readonly write: (text: string) => void;
  readonly clock: Clock;
  /** Prefix of each line. */
  readonly prefix?: string | undefined;
  /** Folding of log sections in the CI. */
  readonly sections: LogSections;
  /**
   * Removes secrets. The log itself removes text that a terminal or CI would take for a command.
   */
  readonly redact: (text: string) => string;
  /** Line that shows waits on a terminal, instead of printed lines. */
  readonly live?: Omit<LiveLine, 'aside'> | undefined;
  /** Formats an event for the detailed log. Undefined if the event is not shown. */
  readonly detail?: ((event: LogEvent) => string | undefined) | undefined;
  /** Receives every event and every printed line. */
  readonly onEvent?: ((event: LogEvent) => void) | undefined;
}

export interface LogSections {
  open(section: { name: string; title: string; atSeconds: number }): string;
  close(section: { name: string; title: string; atSeconds: number }): string;
}

const mostCharacters = 2000;

/** Log that can be closed: it closes the open section and removes the live line. */
export interface ClosableLog extends Log {
  close(): void;
}

export function createLog(options: LogOptions): ClosableLog {
  const { write, clock, sections, redact, live, detail, onEvent, prefix = '' } = options;
  const waits = createWaits(clock);
  let count = 0;
  let open: { name: string; title: string } | undefined;
  const atSeconds = () => Math.floor(clock.now() / 1000);
  // The line is redacted again after sanitizing: control characters may have hidden a secret.
  const line = (text: string) => redact(sanitizeLine(redact(text), mostCharacters));

  function put(text: string): void {
    if (live === undefined) write(text);
    else live.above(() => write(text));
  }

  const print = (text: string) => put(`${redact(prefix)}${text}\n`);

  function closeSection(): void {
    if (open === undefined) return;
    const ending = sections.close({ ...open, atSeconds: atSeconds() });
    open = undefined;
    if (ending !== '') put(ending);
  }

  return {
    section(text) {
      closeSection();
      waits.forget();
      count += 1;
      const title = line(text);
      open = { name: sectionName(title, count), title };
      put(sections.open({ ...open, atSeconds: atSeconds() }));
    },
    act(text) {
      print(`  ${line(text)}`);
      onEvent?.({ kind: 'said', how: 'act', text: line(text) });
    },
    warn(text) {
      print(`! ${line(text)}`);
      onEvent?.({ kind: 'said', how: 'warning', text: line(text) });
    },
    wait(text) {
      const shown = line(text);
      const { isDue, sinceMs } = waits.note(shown);
      if (isDue) onEvent?.({ kind: 'said', how: 'wait', text: shown });
      if (live !== undefined) live.show(shown, sinceMs);
      else if (isDue) print(`  ${shown}`);
      else if (detail !== undefined) print(`  · ${shown}`);
    },
    event(event) {
      const detailText = detail?.(event);
      if (detailText !== undefined) print(`  · ${line(detailText)}`);
      onEvent?.(event);
    },
    close() {
      closeSection();
      live?.close();
    },
  };
}

/** Returns a unique section name of letters, digits and underscores, as GitLab requires. */
function sectionName(title: string, count: number): string {
  const words = title.toLowerCase().replace(/[^a-z0-9]+/g, '_');
  return `hosted_runner_${count}_${words.slice(0, 40).replace(/^_+|_+$/g, '')}`;
}
