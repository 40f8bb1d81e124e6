import { runInBackground } from '../../domain/background.ts';
import { formatDuration, parseDuration } from '../../domain/text/duration.ts';
import { cutToColumns, wrapLine } from '../../domain/text/width.ts';
import type { Clock } from '../../ports/clock.ts';
import { type Frame, openFrame, type TerminalStream } from './frame.ts';

/** Last lines of a terminal, rewritten in place. */
export interface LiveLine {
  /** Shows a wait. `sinceMs` is the clock's elapsed time at the start of the wait. */
  show(text: string, sinceMs: number): void;
  /** Prints lines above the live line and ends the wait. */
  above(print: () => void): void;
  /** Prints whole lines above the live line; the wait continues. */
  aside(print: () => void): void;
  /** Redraws after a change of the picture. */
  refresh(): void;
  clear(): void;
  /** Removes the live line permanently. */
  close(): void;
}

/** Returns rows above the live line, within the given size. */
export type LivePicture = (size: {
  readonly columns: number;
  readonly rows: number;
}) => readonly string[];

const tickMs = 1000;

/**
 * Creates a line that shows the duration of a wait, also between polls. Its timer keeps no process
 * alive.
 */
export function createLiveLine({
  stream,
  clock,
  picture = () => [],
}: {
  stream: TerminalStream;
  clock: Clock;
  picture?: LivePicture;
}): LiveLine {
  let shown: Shown | undefined;
  let timer: NodeJS.Timeout | undefined;
  let screen: Frame | 'none' | 'loading' | 'closed' = 'none';

  function rows(): readonly string[] {
    const { columns = 80, rows: height = 24 } = stream;
    // The last row stays free for the cursor. A terminal wraps a line that fills the last column.
    const size = { columns: Math.max(1, columns - 1), rows: Math.max(0, height - 2) };
    const wait = shown === undefined ? [] : [`  ${withTime(shown, clock.elapsed())}`];
    const above = picture({ columns: size.columns, rows: size.rows - wait.length });
    // A line below a picture is cut, because a wrap would move the picture.
    return [
      ...above,
      ...wait.flatMap((text) =>
        above.length === 0 ? wrapLine(text, size.columns) : cutToColumns(text, size.columns),
      ),
    ];
  }

  function draw(): void {
    if (typeof screen === 'string') return;
    const lines = rows();
    if (lines.length === 0) screen.clear();
    else screen.draw(lines.join('\n'));
  }

  function begin(): void {
    if (screen === 'closed') return;
    timer ??= setInterval(draw, tickMs).unref();
    if (screen !== 'none') {
      draw();
      return;
    }
    screen = 'loading';
    stream.on('resize', draw);
    runInBackground(
      openFrame(stream).then((loaded) => {
        if (screen === 'closed') return;
        screen = loaded;
        draw();
      }),
    );
  }

  function clear(): void {
    shown = undefined;
    clearInterval(timer);
    timer = undefined;
    if (typeof screen !== 'string') screen.clear();
  }

  function aside(print: () => void): void {
    const wait = shown;
    clear();
    print();
    shown = wait;
    if (wait !== undefined || picture({ columns: 1, rows: 1 }).length > 0) begin();
  }

  return {
    show(text, sinceMs) {
      shown = { text, sinceMs, atMs: clock.elapsed() };
      begin();
    },
    above(print) {
      shown = undefined;
      aside(print);
    },
    aside,
    refresh: begin,
    clear,
    close() {
      clear();
      stream.removeListener('resize', draw);
      screen = 'closed';
    },
  };
}

interface Shown {
  readonly text: string;
  readonly sinceMs: number;
  /** Time of the text. */
  readonly atMs: number;
}

/** Matches a text with its own time: `(9s of 3m)`, `(21s; about 2m remaining)`, `(21s).` */
const ownTime =
  /(?:\d+(?:ms|s|m|h|d) ?)+(?= of \d|; (?:about|at least|remaining time))|(?<=\()(?:\d+(?:ms|s|m|h|d) ?)+(?=\)\.$)/;

/** Updates the time in a text. A text without a time gets the time since the start of the wait. */
function withTime({ text, sinceMs, atMs }: Shown, nowMs: number): string {
  const [ownText = ''] = ownTime.exec(text) ?? [];
  const reportedMs = ownText === '' ? undefined : parseDuration(ownText.replaceAll(' ', ''));
  if (reportedMs === undefined) return `${text} (${formatDuration(nowMs - sinceMs)})`;
  return text.replace(ownTime, formatDuration(reportedMs + nowMs - atMs));
}
