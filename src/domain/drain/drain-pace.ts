import type { PollHint } from '../deployment/pace.ts';
import type { DrainVerdict } from './drain-check.ts';

/** Facts that decide the time of a drain's next check. */
export interface DrainPace {
  readonly verdict: Extract<DrainVerdict, { kind: 'busy' | 'confirming' }>;
  /** `waited`: the hosts waited for their jobs during this check; `early`: a host did not. */
  readonly check: 'checked' | 'waited' | 'early';
  /** Time since the start of the check. */
  readonly sinceCheckMs: number;
  /** No end of the jobs is expected within this time. */
  readonly quietMs: number;
  /** Time until the usual end of the jobs; negative after it. */
  readonly usuallyInMs: number;
  /** Time since which every check may be the last one. */
  readonly nearForMs: number;
}

/** Longest pause, and thus the time within which an operator's unpause is noticed. */
const mostMs = 60_000;
/** Shortest pause between checks of a host that cannot wait. */
const hostsEveryMs = 10_000;

/** Longest pause between polls of a job that may end at any time. */
const slowestPollMs = 15_000;

/** Returns the wait between two checks of a drain. */
export function paceDrain({ verdict, check, ...times }: DrainPace): PollHint {
  if (verdict.kind === 'confirming')
    // Counted from the start of the check, because its responses took time.
    return { kind: 'at', inMs: verdict.forMs - times.sinceCheckMs, mostMs };
  if (check === 'waited') return { kind: 'at', inMs: 0 };
  if (check === 'early') return { kind: 'at', inMs: hostsEveryMs };
  if (times.quietMs > 0) return { kind: 'after', againInMs: Math.min(times.quietMs, mostMs) };
  const { usuallyInMs, nearForMs } = times;
  // An end is likeliest around its usual time.
  const forMs = usuallyInMs > 0 ? usuallyInMs : Math.min(-usuallyInMs, nearForMs);
  return { kind: 'imminent', forMs, slowestMs: slowestPollMs };
}

/**
 * Interval between checks of a confirmation whose hosts do not respond: a response shortens the
 * confirmation.
 */
export function outagePollMs(neededMs: number, { pollMs }: { readonly pollMs: number }): number {
  return Math.max(pollMs, Math.min(neededMs / 8, mostMs / 2));
}
