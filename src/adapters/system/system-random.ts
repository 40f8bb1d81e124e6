import { createRequire } from 'node:module';
import type { Random } from '../../ports/random.ts';

const alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789';

export function createSystemRandom(): Random {
  return {
    // 36^16 is about 2^82.
    id() {
      const { randomInt } = cryptography();
      return Array.from({ length: 16 }, () => alphabet[randomInt(alphabet.length)]).join('');
    },
    fraction: () => cryptography().randomBytes(6).readUIntBE(0, 6) / 2 ** 48,
  };
}

// Loads the module on use: no code before the first request needs it, and it loads slowly.
function cryptography(): typeof import('node:crypto') {
  return createRequire('/')('node:crypto') as typeof import('node:crypto');
}
