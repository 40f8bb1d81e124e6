import type { BakeSettings } from '../settings.ts';

/** So many answers running have to be bad: a single one is a blink. */
export const badLooks = 3;

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
  const signalsMs = Math.max(badLooks * pollMs, ...held);
  const { starvationMs } = signals;
  return {
    faultsMs: pollMs,
    signalsMs,
    ...(starvationMs === undefined ? {} : { waitingMs: starvationMs + badLooks * pollMs }),
  };
}
