import { setTimeout as wait } from 'node:timers/promises';
import type { Clock } from '../../ports/clock.ts';

/** Longest timer of Node. A longer one fires at once. */
const longestTimerMs = 2 ** 31 - 1;

export function createSystemClock(): Clock {
  return {
    now: () => Date.now(),
    // `performance` would be loaded here, before the first request.
    elapsed: () => Number(process.hrtime.bigint()) / 1e6,
    async sleep(durationMs, signal) {
      signal?.throwIfAborted();
      let leftMs = Math.max(0, durationMs);
      do {
        const pieceMs = Math.min(leftMs, longestTimerMs);
        try {
          await wait(pieceMs, undefined, signal === undefined ? {} : { signal });
        } catch (error) {
          // The caller expects the signal's reason, not Node's error.
          signal?.throwIfAborted();
          throw error;
        }
        leftMs -= pieceMs;
      } while (leftMs > 0);
    },
  };
}
