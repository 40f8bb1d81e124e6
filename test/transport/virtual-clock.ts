import type { Clock } from '../../src/ports/clock.ts';

export interface VirtualClock extends Clock {
  /** Durations of completed sleeps. */
  readonly slept: readonly number[];
}

interface Sleeper {
  readonly at: number;
  readonly durationMs: number;
  wake(): void;
}

/**
 * Creates a clock whose time passes only when no other work is left. The earliest sleeper then
 * wakes.
 */
export function createVirtualClock(startMs = Date.parse('2026-11-02T10:00:00Z')): VirtualClock {
  const slept: number[] = [];
  const sleepers = new Set<Sleeper>();
  let elapsedMs = 0;
  let ticking = false;

  function tick() {
    ticking = false;
    const [first] = [...sleepers].sort((one, other) => one.at - other.at);
    if (first === undefined) return;
    sleepers.delete(first);
    elapsedMs = Math.max(elapsedMs, first.at);
    slept.push(first.durationMs);
    first.wake();
    schedule();
  }

  function schedule() {
    if (ticking || sleepers.size === 0) return;
    ticking = true;
    // Two turns of the event loop deliver due responses before time passes.
    setImmediate(() => setImmediate(tick));
  }

  return {
    slept,
    now: () => startMs + elapsedMs,
    elapsed: () => elapsedMs,
    sleep: (durationMs, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const end = () => {
          sleepers.delete(sleeper);
          reject(signal?.reason);
        };
        const wake = () => {
          signal?.removeEventListener('abort', end);
          resolve();
        };
        const sleeper = { at: elapsedMs + durationMs, durationMs, wake };
        sleepers.add(sleeper);
        signal?.addEventListener('abort', end, { once: true });
        schedule();
      }),
  };
}
