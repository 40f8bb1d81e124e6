import { runInBackground } from '../../domain/background.ts';
import { formatDuration, parseDuration } from '../../domain/text/duration.ts';
import { cutToColumns, wrapLine } from '../../domain/text/width.ts';
import type { Clock } from '../../ports/clock.ts';
import { type Frame, openFrame, type TerminalStream } from './frame.ts';

/** The last lines of a terminal, rewritten in place. */
export interface LiveLine {
  /** `sinceMs`: the clock's elapsed time at which the wait began. */
  show(text: string, sinceMs: number): void;
  /** Prints lines above what stands there; a wait is over by then. */
  above(print: () => void): void;
  /** Prints whole lines above what stands there; a wait goes on. */
  aside(print: () => void): void;
  /** Something changed in the picture. */
  refresh(): void;
  clear(): void;
  /** Takes everything away for good. */
  close(): void;
}

/** Rows above the line of the wait, none wider than the columns and no more than the rows. */
export type LivePicture = (size: {
  readonly columns: number;
  readonly rows: number;
}) => readonly string[];

const tickMs = 1000;

/** Shows how long a wait has lasted, also between two polls. Its timer keeps no process alive. */
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
    // One stays free below, where the cursor is; a terminal breaks the line that fills it.
    const size = { columns: Math.max(1, columns - 1), rows: Math.max(0, height - 2) };
    const wait = shown === undefined ? [] : [`  ${withTime(shown, clock.elapsed())}`];
    const above = picture({ columns: size.columns, rows: size.rows - wait.length });
    // Alone it may be of any length; below a picture it would push that away.
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
  /** When the text was said. */
  readonly atMs: number;
}

/** `3m 10s of 15m`, `3m 10s, about 2m to go`: a text that tells its own time. */
const ownTime = /((?:\d+(?:ms|s|m|h|d) ?)+)(?= of \d|, (?:about|at least|how long))/;

/** A text that tells its own time goes on by the second; any other gets how long it has been shown. */
function withTime({ text, sinceMs, atMs }: Shown, nowMs: number): string {
  const [ownText = ''] = ownTime.exec(text) ?? [];
  const reportedMs = ownText === '' ? undefined : parseDuration(ownText.replaceAll(' ', ''));
  if (reportedMs === undefined) return `${text} (${formatDuration(nowMs - sinceMs)})`;
  return text.replace(ownTime, formatDuration(reportedMs + nowMs - atMs));
}
