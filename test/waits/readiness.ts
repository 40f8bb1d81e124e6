/** Creates a repeatable random generator (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Times at which each fact of a new shard becomes visible, in milliseconds after the apply. */
export interface Readiness {
  readonly instanceAt: number;
  readonly managerAt: number;
  /** Time at which a manager took the canary. */
  readonly takenAt: number;
  /** The canary has finished. From now on, every check finds the shard ready. */
  readonly readyAt: number;
}

const second = 1000;

/**
 * Returns the times of a host that boots and installs its packages. Its manager polls every 3 s,
 * and then the canary's container runs.
 */
export function readinessOf(chance: () => number): Readiness {
  const between = (from: number, to: number) => from + chance() * (to - from);
  const instanceAt = between(20 * second, 90 * second);
  const managerAt = instanceAt + between(15 * second, 150 * second);
  const takenAt = managerAt + between(0, 3 * second);
  return { instanceAt, managerAt, takenAt, readyAt: takenAt + between(4 * second, 20 * second) };
}

/**
 * Returns when the last job of a draining shard ends. Most jobs are short, and some take hours.
 */
export function lastJobEndOf(chance: () => number): number {
  return Math.min(6 * 3600 * second, -Math.log(1 - chance()) * 900 * second);
}
