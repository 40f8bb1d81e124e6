import type { Effects } from './effect.ts';

export interface Clock {
  /** Returns milliseconds since 1970; may jump. */
  now(): number;
  /** Milliseconds of a monotonic clock; only differences are meaningful. */
  elapsed(): number;
  /** Waits; rejects with the signal's reason on abort. */
  sleep(durationMs: number, signal?: AbortSignal): Promise<void>;
}

export const clockEffects = {
  now: 'remembers',
  elapsed: 'remembers',
  sleep: 'waits',
} as const satisfies Effects<Clock>;
