import type { BakeSettings } from '../settings.ts';

/** Consecutive bad responses for a verdict: a single one may be a blip. */
export const badChecks = 3;

/**
 * Milliseconds from a problem's first appearance to its verdict if checks run and each gets a
 * response: for failures of finished jobs, and for the slowest signal.
 */
export function latencyOf({ pollMs, signals }: BakeSettings): {
  faultsMs: number;
  signalsMs: number;
  /** Time until waiting jobs make the verdict bad; absent if starvation is not checked. */
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

/**
 * Limit on the number of checks: each new check evaluates all earlier ones and reads the registry's
 * jobs.
 */
const mostChecks = 20_000;

/**
 * Returns the interval between checks: at least `pollMs`, and in whole seconds long enough to stay
 * within `mostChecks` until the end, or within the slowest query's hold time.
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
