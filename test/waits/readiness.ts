/** Chance that a run can repeat: mulberry32. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** When each fact of one new shard can be seen, in milliseconds after the apply. */
export interface Readiness {
  readonly instanceAt: number;
  readonly managerAt: number;
  /** A manager has taken the canary. */
  readonly takenAt: number;
  /** The canary has finished: from now on the shard is known to be ready to whoever looks. */
  readonly readyAt: number;
}

const second = 1000;

/** A host boots, installs what it needs, its manager polls every 3 s, and the canary's container runs. */
export function readinessOf(chance: () => number): Readiness {
  const between = (from: number, to: number) => from + chance() * (to - from);
  const instanceAt = between(20 * second, 90 * second);
  const managerAt = instanceAt + between(15 * second, 150 * second);
  const takenAt = managerAt + between(0, 3 * second);
  return { instanceAt, managerAt, takenAt, readyAt: takenAt + between(4 * second, 20 * second) };
}

/** When the last job of a draining shard ends: most are short, some take hours. */
export function lastJobEndOf(chance: () => number): number {
  return Math.min(6 * 3600 * second, -Math.log(1 - chance()) * 900 * second);
}
