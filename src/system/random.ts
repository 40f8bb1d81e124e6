import { randomBytes, randomInt } from 'node:crypto';
import type { Random } from '../ports/random.ts';

const alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789';

export function createSystemRandom(): Random {
  return {
    // 36^16 is about 2^82.
    id: () => Array.from({ length: 16 }, () => alphabet[randomInt(alphabet.length)]).join(''),
    fraction: () => randomBytes(6).readUIntBE(0, 6) / 2 ** 48,
  };
}
