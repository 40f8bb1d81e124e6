import { reasonOf } from '../../domain/text/truncate-reason.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log, LogEvent } from '../../ports/log-event.ts';
import { sanitizeLine } from '../transport/words/sanitize.ts';
import type { LiveLine } from './live-line.ts';

/** Remembers what is waited for, so that the same reason is not printed at every poll. */
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
  /** Standard output; gets whole lines. */
  readonly write: (text: string) => void;
  readonly clock: Clock;
  /** In front of each line. */
  readonly prefix?: string | undefined;
  /** How the CI folds a part of its log. */
  readonly sections: LogSections;
  /** Removes secrets; what a terminal or a CI would take for a command is removed here. */
  readonly redact: (text: string) => string;
  /** On a terminal: the line that waits are shown in instead of being printed. */
  readonly live?: Omit<LiveLine, 'aside'> | undefined;
  /** The line that an event is worth to who asked for all of them; nothing is printed of the rest. */
  readonly detail?: ((event: LogEvent) => string | undefined) | undefined;
  /** Gets every event, and what was said to a person. */
  readonly onEvent?: ((event: LogEvent) => void) | undefined;
}

export interface LogSections {
  open(section: { name: string; title: string; atSeconds: number }): string;
  close(section: { name: string; title: string; atSeconds: number }): string;
}

const mostCharacters = 2000;

/** A log with an end: the open section is closed, and no live line is left behind. */
export interface ClosableLog extends Log {
  close(): void;
}

export function createLog(options: LogOptions): ClosableLog {
  const { write, clock, sections, redact, live, detail, onEvent, prefix = '' } = options;
  const waits = createWaits(clock);
  let count = 0;
  let open: { name: string; title: string } | undefined;
  const atSeconds = () => Math.floor(clock.now() / 1000);
  // Redacted again once it is clean: a secret may have been hidden among control characters.
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

/** Letters, digits and underscores, as GitLab wants it; different for each section of a log. */
function sectionName(title: string, count: number): string {
  const words = title.toLowerCase().replace(/[^a-z0-9]+/g, '_');
  return `hosted_runner_${count}_${words.slice(0, 40).replace(/^_+|_+$/g, '')}`;
}
