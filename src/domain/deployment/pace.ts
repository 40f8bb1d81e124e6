/**
 * How soon to look again, for every wait of the program. A wait is coarse until something moves and
 * fine once the next answer may be the one that is waited for, so that it follows the fact without
 * burning the API's quota. It slows down again when the fact does not come: after an hour nobody
 * minds another few seconds.
 */
export type PollHint =
  /** Nothing moves yet: a host boots. */
  | { readonly kind: 'booting' }
  /** The first sign is there; the rest takes seconds to minutes. */
  | { readonly kind: 'progressing'; readonly forMs?: number }
  /** Any answer may be the last one, for so long by now. `slowestMs`: the longest pause; absent: one poll. */
  | { readonly kind: 'imminent'; readonly forMs: number; readonly slowestMs?: number }
  /** Usually there at once; each look that was in vain makes it less likely. */
  | { readonly kind: 'fresh'; readonly looks: number }
  /**
   * Not before then; a time longer than `mostMs` is checked in steps of its half, in case something has come
   * between. Absent: 20 s.
   */
  | { readonly kind: 'at'; readonly inMs: number; readonly mostMs?: number }
  /** Not before then, and nothing is looked at between: the look is itself a request that counts. */
  | { readonly kind: 'after'; readonly againInMs: number }
  /** So often in a row nobody answered: an error, and many may have it at once. */
  | { readonly kind: 'failing'; readonly times: number; readonly fraction: number };

export interface Cadence {
  /** What is configured: `healthcheck.poll`, `drain.poll`. */
  readonly pollMs: number;
  /** Where it is finer than that. */
  readonly fineMs?: number;
}

/** A near fact is looked for at the fine cadence for so long before it slows down. */
const patienceMs = 120_000;
/** Then a look follows after this part of the time waited: nobody waits 5 % longer than necessary. */
const slowdown = 0.05;
/** The same of a fact that is only coming; what it is late by, the canary makes use of. */
const comingSlowdown = 0.2;
const comingFactor = 2;
/** Nothing is decided by a host that boots; its first sign is all that is missed. */
const farFactor = 3;
const growth = 1.6;
const longestDueMs = 20_000;
const longestBlindMs = 60_000;

/** Milliseconds until the next look: never more than three polls, save after errors. */
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
      return Math.min(pollMs, fine * growth ** hint.looks);
    case 'at': {
      const { inMs, mostMs = longestDueMs } = hint;
      // A timer may fire a fraction too soon, and then the look that counts would have to be made twice.
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
