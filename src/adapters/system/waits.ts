import type { Clock } from '../../ports/clock.ts';

/** Remembers what is waited for, so that the same reason is not printed at every poll. */
export interface Waits {
  note(text: string): { isDue: boolean; sinceMs: number };
  forget(): void;
}

const repeatMs = 60_000;

export function createWaits(clock: Clock): Waits {
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

/** A text without its counts and durations: `3m 10s of 15m` and `4m of 15m` are the same reason. */
export function reasonOf(text: string): string {
  return text
    .replace(/\d+(?:\.\d+)?(?:ms|s|m|h|d|%)?(?![a-zA-Z0-9])/g, '#')
    .replace(/#(?:\s+#)+/g, '#');
}
