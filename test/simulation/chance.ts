import { createHash } from 'node:crypto';

/** Random generator of a seed, whose state is one number. */
export interface Chance {
  /** Returns a number of at least 0 and below `limit`. */
  below(limit: number): number;
  pick<T>(values: readonly T[]): T;
  shuffle<T>(values: readonly T[]): T[];
}

export function createChance(seed: number): Chance {
  let state = Math.imul(seed, 0x9e3779b9) | 0;
  const next = () => {
    // The algorithm is splitmix32.
    state = (state + 0x9e3779b9) | 0;
    let z = state;
    z = Math.imul(z ^ (z >>> 16), 0x21f0aaad);
    z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
    return ((z ^ (z >>> 15)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    below,
    pick: (values) => values[below(values.length)] as (typeof values)[number],
    shuffle(values) {
      const left = [...values];
      return values.map(() => left.splice(below(left.length), 1)[0] as (typeof values)[number]);
    },
  };
}

/** Decides by a hash of the text, so every caller gets the same result at any time. */
export function isChosen(text: string, oneIn: number): boolean {
  return createHash('sha1').update(text).digest().readUInt32BE() % oneIn === 0;
}
