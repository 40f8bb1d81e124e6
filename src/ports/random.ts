import type { Effects } from './effect.ts';

export interface Random {
  /** Returns 16 lower-case letters and digits, unique for all practical purposes. */
  id(): string;
  /** Returns a number from 0 to below 1. */
  fraction(): number;
}

export const randomEffects = {
  id: 'remembers',
  fraction: 'remembers',
} as const satisfies Effects<Random>;
