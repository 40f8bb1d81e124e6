import type { StageContext } from './context.ts';

/** So long after what it saw an effect may still rest on it: a slow look and the gate, and no more. */
export const proofLifetimeMs = 120_000;

/**
 * By both clocks: with a machine that is suspended the one that never jumps may stand still, and the
 * other one is set by people.
 */
export interface Timestamps {
  readonly elapsed: number;
  readonly now: number;
}

export function readTimestamps({ ports: { clock } }: Pick<StageContext, 'ports'>): Timestamps {
  return { elapsed: clock.elapsed(), now: clock.now() };
}
