import { isReadOnly } from './answers/read-only.ts';
import { isThrottled, isUnavailable, parseRetryAfter } from './answers/retry-after.ts';
import type { AttemptOutcome } from './attempt.ts';
import type { AnswerHeaders, TransportLimits } from './request.ts';

export type RetryPolicy =
  | { readonly kind: 'repeat'; readonly afterMs: number; readonly isFromServer: boolean }
  /** `reason` is empty if a retry was never possible. */
  | { readonly kind: 'stop'; readonly reason: string };

export interface RetryFacts {
  readonly outcome: AttemptOutcome;
  readonly repeatable: boolean;
  /** Attempts so far, at least 1. */
  readonly attempts: number;
  /** Rest of the call's time limit. */
  readonly leftMs: number;
  readonly nowMs: number;
  /** Random number from 0 to below 1. */
  readonly fraction: number;
  readonly limits: TransportLimits;
}

/**
 * Decides whether and when to retry. A write is retried only if the server provably did nothing.
 */
export function planRetry(situation: RetryFacts): RetryPolicy {
  const { outcome, attempts, limits, leftMs } = situation;
  if (!mayRepeat(outcome, situation.repeatable)) return { kind: 'stop', reason: '' };
  if (attempts >= limits.attempts) return { kind: 'stop', reason: `${attempts} attempts` };
  const reportedMs =
    outcome.kind === 'answer' ? findWaitMs(outcome.answer.headers, situation) : undefined;
  const afterMs = reportedMs ?? backoff(situation);
  if (afterMs < leftMs) return { kind: 'repeat', afterMs, isFromServer: reportedMs !== undefined };
  const requested =
    reportedMs === undefined ? '' : `it requests a wait of ${Math.ceil(reportedMs / 1000)}s, `;
  return { kind: 'stop', reason: `${requested}${attempts} attempts` };
}

function mayRepeat(outcome: AttemptOutcome, repeatable: boolean): boolean {
  switch (outcome.kind) {
    case 'answer':
      // An operator ends the read-only mode, after minutes.
      if (isReadOnly(outcome.answer)) return false;
      return isThrottled(outcome.answer) || (repeatable && isUnavailable(outcome.answer));
    case 'failed':
      return outcome.error.passing && (repeatable || outcome.error.sent === 'no');
    case 'timeout':
      return repeatable;
    case 'too_large':
    case 'cancelled':
      return false;
  }
}

function findWaitMs(headers: AnswerHeaders, { nowMs, fraction }: RetryFacts): number | undefined {
  const waitMs = parseRetryAfter(headers, nowMs);
  // The wait is never shorter than requested, and jitter spreads the retries.
  return waitMs === undefined ? undefined : waitMs + Math.floor(fraction * 1000);
}

/** Returns a pause with full jitter: from zero to the doubled step. */
function backoff({ attempts, fraction, limits }: RetryFacts): number {
  const stepMs = Math.min(limits.maxBackoffMs, limits.firstBackoffMs * 2 ** (attempts - 1));
  return Math.floor(fraction * stepMs);
}
