import { createHash } from 'node:crypto';
import type { SandboxRandom } from '../surroundings/random.ts';

export type TokenPrefix = 'glpat-' | 'glrt-' | 'glcbt-' | 'glptt-';

export function newToken(random: SandboxRandom, prefix: TokenPrefix): string {
  return `${prefix}${random.hex(12)}`;
}

/** What is kept of a token: enough to know it again. */
export function digestOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
