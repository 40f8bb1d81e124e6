import { randomBytes } from 'node:crypto';

/** Source of randomness, passed as an argument to make tests repeatable. */
export interface SandboxRandom {
  /** Returns a number of at least 0 and less than 1. */
  fraction(): number;
  /** Returns `2 * bytes` lower-case hexadecimal digits. */
  hex(bytes: number): string;
}

export function systemRandom(): SandboxRandom {
  return {
    fraction: () => randomBytes(6).readUIntBE(0, 6) / 2 ** 48,
    hex: (bytes) => randomBytes(bytes).toString('hex'),
  };
}

/** Creates the same sequence for the same seed. Never use it for secrets. */
export function seededRandom(seed: number): SandboxRandom {
  let state = seed >>> 0;
  function fraction(): number {
    // Mulberry32
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  return {
    fraction,
    hex: (bytes) =>
      Array.from({ length: bytes }, () => Math.floor(fraction() * 256))
        .map((byte) => byte.toString(16).padStart(2, '0'))
        .join(''),
  };
}
