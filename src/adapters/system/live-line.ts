import { formatDuration, parseDuration } from '../../domain/duration.ts';
import type { Clock } from '../../ports/clock.ts';
import { type Frame, openFrame } from './frame.ts';

/** The last line of a terminal, rewritten in place. */
export interface LiveLine {
  /** `sinceMs`: the clock's elapsed time at which the wait began. */
  show(text: string, sinceMs: number): void;
  clear(): void;
}

const tickMs = 1000;

/** Shows how long a wait has lasted, also between two polls. Its timer keeps no process alive. */
export function createLiveLine({
  stream,
  clock,
}: {
  stream: NodeJS.WritableStream;
  clock: Clock;
}): LiveLine {
  let shown: Shown | undefined;
  let timer: NodeJS.Timeout | undefined;
  let screen: Frame | 'none' | 'loading' = 'none';

  function draw(): void {
    if (shown === undefined || typeof screen === 'string') return;
    screen.draw(`  ${withTime(shown, clock.elapsed())}`);
  }

  function load(): void {
    screen = 'loading';
    void openFrame(stream).then((loaded) => {
      screen = loaded;
      draw();
    });
  }

  return {
    show(text, sinceMs) {
      shown = { text, sinceMs, atMs: clock.elapsed() };
      if (screen === 'none') load();
      timer ??= setInterval(draw, tickMs).unref();
      draw();
    },
    clear() {
      shown = undefined;
      clearInterval(timer);
      timer = undefined;
      if (typeof screen !== 'string') screen.clear();
    },
  };
}

interface Shown {
  readonly text: string;
  readonly sinceMs: number;
  /** When the text was said. */
  readonly atMs: number;
}

/** `3m 10s of 15m`: a text that tells its own time. */
const ownTime = /((?:\d+(?:ms|s|m|h|d) ?)+)(?= of \d)/;

/** A text that tells its own time goes on by the second; any other gets how long it has been shown. */
function withTime({ text, sinceMs, atMs }: Shown, nowMs: number): string {
  const [told = ''] = ownTime.exec(text) ?? [];
  const toldMs = told === '' ? undefined : parseDuration(told.replaceAll(' ', ''));
  if (toldMs === undefined) return `${text} (${formatDuration(nowMs - sinceMs)})`;
  return text.replace(ownTime, formatDuration(toldMs + nowMs - atMs));
}
