import type { PollHint } from '../deployment/pace.ts';
import type { DrainVerdict } from './drain-check.ts';

/** What decides when a drain is checked next. */
export interface DrainPace {
  readonly verdict: Extract<DrainVerdict, { kind: 'busy' | 'confirming' }>;
  /** `waited`: hosts have waited for their jobs in this check; `early`: one did not. */
  readonly check: 'checked' | 'waited' | 'early';
  /** Since the check began. */
  readonly sinceCheckMs: number;
  /** For so long no end of the jobs is expected. */
  readonly quietMs: number;
  /** Until the usual end of the jobs; negative since then. */
  readonly usuallyInMs: number;
  /** Since any check may have been the last one. */
  readonly nearForMs: number;
}

/** An operator's unpause is noticed within this time. */
const mostMs = 60_000;
/** A host that cannot wait is checked no more often than this. */
const hostsEveryMs = 10_000;

/** The longest pause between two polls of a job whose end may come any time. */
const slowestPollMs = 15_000;

/** The wait between two checks of a drain. */
export function paceDrain({ verdict, check, ...times }: DrainPace): PollHint {
  if (verdict.kind === 'confirming')
    // Counted from the check itself, because its answers took time.
    return { kind: 'at', inMs: verdict.forMs - times.sinceCheckMs, mostMs };
  if (check === 'waited') return { kind: 'at', inMs: 0 };
  if (check === 'early') return { kind: 'at', inMs: hostsEveryMs };
  if (times.quietMs > 0) return { kind: 'after', againInMs: Math.min(times.quietMs, mostMs) };
  const { usuallyInMs, nearForMs } = times;
  // Around the usual end an end is likeliest.
  const forMs = usuallyInMs > 0 ? usuallyInMs : Math.min(-usuallyInMs, nearForMs);
  return { kind: 'imminent', forMs, slowestMs: slowestPollMs };
}

/** How often a confirmation is checked whose hosts do not respond: one that responds shortens it. */
export function outagePollMs(neededMs: number, { pollMs }: { readonly pollMs: number }): number {
  return Math.max(pollMs, Math.min(neededMs / 8, mostMs / 2));
}
