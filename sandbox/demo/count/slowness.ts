import type { JudgedJob } from './count.ts';
import type { Interval } from './history.ts';

/** When this computer was slow, in ms since the epoch. */
export interface Slowness {
  /** Starts of the program that were timed, each with how many times longer than usual it took. */
  readonly starts: readonly (Interval & { readonly factor: number })[];
  /** The times by which a timer came late: the computer stood still, or was too busy for the demo. */
  readonly stalls: readonly Interval[];
}

/** The pause between two timed starts. */
export const startEveryMs = 5000;

/**
 * How much longer than a job of the control run this job may wait: a second, multiplied by the slowest start
 * around its wait, and the time for which the computer stood still meanwhile.
 */
export function allowedMs(
  { factor, slowness }: { readonly factor: number; readonly slowness: Slowness },
  { submittedAt, waitMs }: Pick<JudgedJob, 'submittedAt' | 'waitMs'>,
): number {
  const wait = { from: submittedAt, to: submittedAt + waitMs };
  const around = { from: wait.from - startEveryMs, to: wait.to + startEveryMs };
  const factors = slowness.starts
    .filter(({ from, to }) => from <= around.to && to >= around.from)
    .map((start) => start.factor);
  const stalledMs = slowness.stalls.reduce(
    (ms, { from, to }) => ms + Math.max(0, Math.min(to, wait.to) - Math.max(from, wait.from)),
    0,
  );
  return Math.round(1000 * Math.max(factor, ...factors)) + stalledMs;
}
