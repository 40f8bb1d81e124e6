import type { Effects } from './effect.ts';

export interface Clock {
  /** Milliseconds since 1970; may jump. */
  now(): number;
  /** Milliseconds of a clock that never jumps; only differences mean something. */
  elapsed(): number;
  /** Rejects with the signal's reason as soon as it is aborted. */
  sleep(durationMs: number, signal?: AbortSignal): Promise<void>;
}

export const clockEffects = {
  now: 'remembers',
  elapsed: 'remembers',
  sleep: 'waits',
} as const satisfies Effects<Clock>;
