import { formatDuration } from '../../domain/duration.ts';
import type { Clock } from '../../ports/clock.ts';

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
  let shown: { text: string; sinceMs: number } | undefined;
  let timer: NodeJS.Timeout | undefined;
  let screen: LogUpdate | 'none' | 'loading' = 'none';

  function draw(): void {
    if (shown === undefined || typeof screen === 'string') return;
    screen(`  ${shown.text} (${formatDuration(clock.elapsed() - shown.sinceMs)})`);
  }

  function load(): void {
    screen = 'loading';
    void loadLogUpdate(stream).then((loaded) => {
      screen = loaded;
      draw();
    });
  }

  return {
    show(text, sinceMs) {
      shown = { text, sinceMs };
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

interface LogUpdate {
  (text: string): void;
  clear(): void;
}

async function loadLogUpdate(stream: NodeJS.WritableStream): Promise<LogUpdate> {
  const { createLogUpdate } = await import('log-update');
  return createLogUpdate(stream, { showCursor: true });
}
