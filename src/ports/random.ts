import type { Effects } from './effect.ts';

export interface Random {
  /** 16 characters of lower-case letters and digits, unique for all practical purposes. */
  id(): string;
  /** At least 0, below 1. */
  fraction(): number;
}

export const randomEffects = {
  id: 'remembers',
  fraction: 'remembers',
} as const satisfies Effects<Random>;
