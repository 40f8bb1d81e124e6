import type { StageContext } from './context.ts';

/** Maximum age of a proof when an effect relies on it: time for a slow check and the gate. */
export const proofLifetimeMs = 120_000;

/**
 * Time on both clocks. The monotonic clock may stop while a machine is suspended, and the wall
 * clock can be changed.
 */
export interface Timestamps {
  readonly elapsed: number;
  readonly now: number;
}

export function readTimestamps({ ports: { clock } }: Pick<StageContext, 'ports'>): Timestamps {
  return { elapsed: clock.elapsed(), now: clock.now() };
}
