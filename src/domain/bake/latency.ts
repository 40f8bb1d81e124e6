import type { BakeSettings } from '../settings.ts';

/** So many answers running have to be bad: a single one is a blink. */
export const badChecks = 3;

/**
 * How long after it shows what is bad is a verdict, in milliseconds, while somebody looks and every
 * answer comes: the faults of jobs that have ended, and the slowest signal.
 */
export function latencyOf({ pollMs, signals }: BakeSettings): {
  faultsMs: number;
  signalsMs: number;
  /** Until jobs that wait for nothing that starts are bad; absent where nobody asks for them. */
  waitingMs?: number;
} {
  const held = signals.prometheus.map(({ forMs }) => forMs + pollMs);
  const signalsMs = Math.max(badChecks * pollMs, ...held);
  const { starvationMs } = signals;
  return {
    faultsMs: pollMs,
    signalsMs,
    ...(starvationMs === undefined ? {} : { waitingMs: starvationMs + badChecks * pollMs }),
  };
}

/** All of them are judged anew at each look, and each asks the registry for its jobs. */
const mostChecks = 20_000;

/**
 * How often it is looked at: no more often than is configured, and by whole seconds seldom enough for so
 * many looks until the end, or in the row of the slowest query.
 */
export function pollOf({
  pollMs,
  forMs = 0,
  atMostMs,
  signals,
}: Pick<BakeSettings, 'pollMs' | 'forMs' | 'atMostMs' | 'signals'>): number {
  const longestMs = Math.max(forMs, atMostMs, ...signals.prometheus.map((query) => query.forMs));
  return Math.max(pollMs, Math.floor(longestMs / mostChecks / 1000) * 1000);
}
