import { seededRandom } from '../../../sandbox/surroundings/random.ts';

/** A customer's job around one drain; times are milliseconds from the drain's beginning. */
export interface DrawnJob {
  readonly atMs: number;
  readonly runsMs: number;
  /** Somebody cancels it then; its after_script still runs. */
  readonly cancelAtMs?: number;
}

/** Everything that chance decides about one drain. */
export interface DrawnDrain {
  readonly number: number;
  readonly jobs: readonly DrawnJob[];
  /** The hosts' agent: silent all the time, or only at first. */
  readonly silent: 'never' | 'always' | number;
  /** Somebody un-pauses the runner in the middle. */
  readonly reopenAtMs?: number;
  /** The run is cancelled then, and another one goes on. */
  readonly cutAtMs?: number;
}

/** The same drain for the same seed and number, whatever else is drawn. */
export function drawDrain(seed: number, number: number): DrawnDrain {
  const chance = seededRandom(seed * 1009 + number);
  // The first numbers of neighbouring seeds are alike.
  for (let skipped = 0; skipped < 5; skipped += 1) chance.fraction();
  const between = (from: number, to: number) => Math.round(from + chance.fraction() * (to - from));
  const happens = (probability: number) => chance.fraction() < probability;
  const jobs = Array.from({ length: between(0, 3) }, (): DrawnJob => {
    const atMs = between(-500, 400);
    const runsMs = between(50, 2500);
    return happens(0.15) ? { atMs, runsMs, cancelAtMs: between(0, 1500) } : { atMs, runsMs };
  });
  const silent = happens(0.1) ? 'always' : happens(0.15) ? between(200, 2000) : 'never';
  return {
    number,
    jobs,
    silent,
    ...(happens(0.1) ? { reopenAtMs: between(100, 6000) } : {}),
    ...(happens(0.2) ? { cutAtMs: between(50, 2500) } : {}),
  };
}
