import { setTimeout as wait } from 'node:timers/promises';
import type { Clock } from '../../ports/clock.ts';

/** A timer of Node's holds 2^31-1 ms and fires at once for more. */
const longestTimerMs = 2 ** 31 - 1;

export function createSystemClock(): Clock {
  return {
    now: () => Date.now(),
    // Not `performance`, which is loaded on its first use, before the first request.
    elapsed: () => Number(process.hrtime.bigint()) / 1e6,
    async sleep(durationMs, signal) {
      signal?.throwIfAborted();
      let leftMs = Math.max(0, durationMs);
      do {
        const pieceMs = Math.min(leftMs, longestTimerMs);
        try {
          await wait(pieceMs, undefined, signal === undefined ? {} : { signal });
        } catch (error) {
          // Node rejects with an error of its own; the caller gave a reason.
          signal?.throwIfAborted();
          throw error;
        }
        leftMs -= pieceMs;
      } while (leftMs > 0);
    },
  };
}
