/**
 * Hint for the next check, used by every wait of hosted-runner. Polling is slow until something
 * changes, and fast while the next response may be the expected one. This saves API quota. A fast
 * poll slows down again if the event does not occur: after an hour, a few seconds do not matter.
 */
export type PollHint =
  /** Nothing has changed yet: a host boots. */
  | { readonly kind: 'booting' }
  /** A first sign has been observed; the rest takes seconds to minutes. */
  | { readonly kind: 'progressing'; readonly forMs?: number }
  /**
   * Any response may be the last one, for `forMs` already. `slowestMs`: longest pause; default: one
   * poll.
   */
  | { readonly kind: 'imminent'; readonly forMs: number; readonly slowestMs?: number }
  /** Usually available at once; each check in vain makes it less likely. */
  | { readonly kind: 'fresh'; readonly polls: number }
  /**
   * Waits for `inMs`. A time above `mostMs` (default: 20 s) is checked in steps of half of it,
   * because the state may change meanwhile.
   */
  | { readonly kind: 'at'; readonly inMs: number; readonly mostMs?: number }
  /** Waits for `againInMs` without earlier checks: each check is a request that counts. */
  | { readonly kind: 'after'; readonly againInMs: number }
  /** Number of consecutive checks without a response: an error that many runs may have at once. */
  | { readonly kind: 'failing'; readonly times: number; readonly fraction: number };

export interface Cadence {
  /** Configured interval: `healthcheck.poll`, `drain.poll`. */
  readonly pollMs: number;
  /** Shorter interval for an imminent event. */
  readonly fineMs?: number;
}

/** Time for which an imminent event is polled at the fine interval. */
const patienceMs = 120_000;
/** Later pauses as a fraction of the elapsed time: at most 5 % longer than necessary. */
const slowdown = 0.05;
/** Fraction for an event that is only approaching; the canary uses the delay. */
const comingSlowdown = 0.2;
const comingFactor = 2;
/** A booting host decides nothing: only its first sign may be noticed late. */
const farFactor = 3;
const growth = 1.6;
const longestDueMs = 20_000;
const longestBlindMs = 60_000;

/** Returns the milliseconds until the next check: at most three polls, except after errors. */
export function pauseBefore(hint: PollHint, { pollMs, fineMs = pollMs }: Cadence): number {
  const fine = Math.min(fineMs, pollMs);
  switch (hint.kind) {
    case 'booting':
      return pollMs * farFactor;
    case 'progressing': {
      const { forMs = 0 } = hint;
      return Math.min(pollMs * comingFactor, Math.max(pollMs, forMs * comingSlowdown));
    }
    case 'imminent': {
      const { forMs, slowestMs = pollMs } = hint;
      if (forMs <= patienceMs) return fine;
      const slowest = Math.max(slowestMs, pollMs);
      return Math.min(slowest, Math.max(fine, (forMs - patienceMs) * slowdown));
    }
    case 'fresh':
      return Math.min(pollMs, fine * growth ** hint.polls);
    case 'at': {
      const { inMs, mostMs = longestDueMs } = hint;
      // A timer may fire slightly early, and the deciding check would then be needed twice.
      return Math.ceil(inMs > mostMs ? mostMs / 2 : inMs) + 1;
    }
    case 'after':
      return Math.ceil(hint.againInMs) + 1;
    case 'failing': {
      const most = Math.max(pollMs, longestBlindMs);
      const stepMs = Math.min(most, pollMs * 2 ** (hint.times - 1));
      return Math.round(stepMs * (0.5 + hint.fraction / 2));
    }
  }
}
