import type { CheckedJob } from './count.ts';
import type { Interval } from './history.ts';

/** Times at which this computer was slow, in ms since the epoch. */
export interface Slowness {
  /** Timed starts of the program, each with its duration as a multiple of the usual one. */
  readonly starts: readonly (Interval & { readonly factor: number })[];
  /** Delays of a timer: the computer stood still, or was too busy for the demo. */
  readonly stalls: readonly Interval[];
}

/** Pause between two timed starts. */
export const startEveryMs = 5000;

/**
 * Returns how much longer than a control job this job may wait. The allowance is one second,
 * multiplied by the slowest start around its wait. Times at which the computer stood still are
 * added.
 */
export function allowedMs(
  { factor, slowness }: { readonly factor: number; readonly slowness: Slowness },
  { submittedAt, waitMs }: Pick<CheckedJob, 'submittedAt' | 'waitMs'>,
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
