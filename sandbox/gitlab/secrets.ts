import { createHash } from 'node:crypto';
import type { SandboxRandom } from '../surroundings/random.ts';

export type TokenPrefix = 'glpat-' | 'glrt-' | 'glcbt-' | 'glptt-';

export function newToken(random: SandboxRandom, prefix: TokenPrefix): string {
  return `${prefix}${random.hex(12)}`;
}

/** Returns the stored digest of a token. */
export function digestOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
