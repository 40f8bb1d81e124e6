/**
 * How soon to look again. A wait is coarse until something moves and fine once the next answer may be
 * the one that is waited for, so that it follows the fact without burning the API's quota. It slows
 * down again when the fact does not come: after an hour nobody minds another few seconds.
 */
export type Prospect =
  /** Nothing moves yet: a host boots. */
  | { readonly kind: 'far' }
  /** The first sign is there; the rest takes seconds to minutes. */
  | { readonly kind: 'coming' }
  /** Any answer may be the last one, for so long by now. */
  | { readonly kind: 'near'; readonly forMs: number };

export interface Cadence {
  /** What is configured: `healthcheck.poll`. */
  readonly pollMs: number;
  readonly fineMs: number;
}

/** A near fact is looked for at the fine cadence for so long before it slows down. */
const patienceMs = 120_000;
/** Then a look follows after this part of the time waited: nobody waits 5 % longer than necessary. */
const slowdown = 0.05;
/** Nothing is decided by a host that boots; its first sign is all that is missed. */
const farFactor = 3;

/** Milliseconds until the next look, never more than three polls. */
export function pauseBefore(prospect: Prospect, { pollMs, fineMs }: Cadence): number {
  const fine = Math.min(fineMs, pollMs);
  switch (prospect.kind) {
    case 'far':
      return pollMs * farFactor;
    case 'coming':
      return pollMs;
    case 'near':
      if (prospect.forMs <= patienceMs) return fine;
      return Math.min(pollMs, Math.max(fine, (prospect.forMs - patienceMs) * slowdown));
  }
}
