import { detectCi } from '../adapters/ci/detect-run.ts';
import { logSections } from '../adapters/ci/sections.ts';
import { hasSize } from '../adapters/system/frame.ts';
import type { LiveLine } from '../adapters/system/live-line.ts';
import { type ClosableLog, createLog } from '../adapters/system/log.ts';
import type { Output } from '../adapters/system/process-output.ts';
import type { Redactor } from '../adapters/transport/words/redaction.ts';
import { sanitizeLine } from '../adapters/transport/words/sanitize.ts';
import { paintMarks, type TerminalStyle } from '../cli/terminal/terminal-style.ts';
import type { Clock } from '../ports/clock.ts';
import type { LogEvent } from '../ports/log-event.ts';
import { liveRows } from '../report/live/live-rows.ts';
import { type LiveState, withEvent } from '../report/live/live-state.ts';
import { paintPhase } from '../report/live/phase-colours.ts';
import { formatEvent } from '../report/verbose.ts';
import { openEvents, openLines } from './event-output.ts';
import type { Program } from './process-program.ts';

/** Prints whole lines beside a picture without damaging it. */
export type Aside = (print: () => void) => void;

interface Around {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly redactor: Redactor;
  readonly stdout: Output;
  readonly showError: (text: string) => void;
  readonly screen: NodeJS.WriteStream;
  /** Formats text for people, as on standard output. */
  readonly dressing: (text: string) => string;
  /** Returns the style of the picture's rows, which may use the full width. */
  readonly style: () => TerminalStyle;
  /** Called when an event has reported the command's failure. */
  readonly onError: () => void;
  /** Called when a picture begins. Writers outside this log must print through `aside`. */
  readonly onPicture: (aside: Aside) => void;
}

/** Creates the log of one command: text or a picture for people, and events for programs. */
export function logOpener(around: Around): Program['openLog'] {
  const { environment, clock, redactor, stdout, showError, dressing, onError } = around;
  return async ({ eventFile, quiet: isQuiet = false, json = false, plain = false, ...how }) => {
    const { prefix, picture = false, verbose = false } = how;
    const quiet = isQuiet || json;
    const kept = { clock, redact: redactor.redact, showError };
    const sinks = [
      ...(eventFile === undefined ? [] : [await openEvents(eventFile, kept)]),
      ...(json ? [openLines((line) => stdout.write(`${line}\n`), kept)] : []),
    ];
    const isLive = !quiet && !plain && prefix === undefined && isScreen(around);
    const live = isLive ? await openLive(around, picture) : undefined;
    if (live !== undefined) around.onPicture(live.line.aside);
    const log: ClosableLog = createLog({
      write: quiet ? () => {} : (text) => stdout.write(dressing(text)),
      clock,
      // Sections of several stacks would fold each other's lines.
      sections: prefix === undefined ? logSections(detectCi(environment)) : noSections,
      prefix,
      redact: redactor.redact,
      live: live?.line,
      detail: verbose && !quiet ? formatEvent : undefined,
      onEvent: (event) => {
        for (const sink of sinks) sink(event);
        live?.note(event);
        if (json && event.kind === 'end' && event.outcome === 'error') onError();
      },
    });
    return log;
  };
}

/** Returns whether standard output is an interactive terminal that can show a picture. */
export function isScreen({ screen, environment }: Pick<Around, 'screen' | 'environment'>): boolean {
  const isCi = detectCi(environment) !== 'terminal' || (environment['CI'] ?? '') !== '';
  return screen.isTTY === true && hasSize(screen) && environment['TERM'] !== 'dumb' && !isCi;
}

interface Live {
  readonly line: LiveLine;
  note(event: LogEvent): void;
}

async function openLive(
  { screen, clock, redactor, style }: Around,
  hasPicture: boolean,
): Promise<Live> {
  const { createLiveLine } = await import('../adapters/system/live-line.ts');
  let state: LiveState | undefined;
  const { redact } = redactor;
  const clean = (text: string) => redact(sanitizeLine(redact(text), 200));
  const line = createLiveLine({
    stream: screen,
    clock,
    picture: (size) =>
      state === undefined
        ? []
        : liveRows(state, size, { now: clock.now(), clean }).map((row) =>
            paintMarks(paintPhase(row, style()), style()),
          ),
  });
  return {
    line,
    note(event) {
      const next = hasPicture ? withEvent(state, event) : undefined;
      if (next === state) return;
      state = next;
      line.refresh();
    },
  };
}

const noSections = { open: () => '', close: () => '' };
