import { type Cadence, type PollHint, pauseBefore } from '../domain/deployment/pace.ts';
import type { Clock } from './clock.ts';

/** What one look has found: the fact, or how near it is. */
export type PollResult<T> =
  | { readonly kind: 'done'; readonly value: T }
  | {
      readonly kind: 'pending';
      readonly hint: PollHint;
      /** The next look comes no later than this, whatever the schedule says: a deadline. */
      readonly atMostMs?: number;
    };

export interface PollOptions {
  readonly clock: Pick<Clock, 'elapsed' | 'sleep'>;
  readonly cadence: Cadence;
}

/**
 * The one loop of every wait: looks, and lets the schedule say when to look again. Ends with what was
 * seen or with what `look` throws; a limit is the look's own. `looks` counts from 1.
 */
export async function pollUntil<T>(
  { clock, cadence }: PollOptions,
  look: (looks: number) => Promise<PollResult<T>>,
): Promise<T> {
  for (let looks = 1; ; looks += 1) {
    const begunAt = clock.elapsed();
    const result = await look(looks);
    if (result.kind === 'done') return result.value;
    const tookMs = clock.elapsed() - begunAt;
    const pauseMs = evenly(result.hint, pauseBefore(result.hint, cadence), tookMs);
    const atMostMs = result.atMostMs ?? Number.POSITIVE_INFINITY;
    await clock.sleep(Math.max(0, Math.min(pauseMs, atMostMs)));
  }
}

/** Looks begin at an even pace, whatever their answers take; who answers slowly is left some rest. */
function evenly({ kind }: PollHint, pauseMs: number, tookMs: number): number {
  if (kind !== 'progressing' && kind !== 'imminent') return pauseMs;
  return Math.max(pauseMs - tookMs, pauseMs / 4);
}

export function done<T>(value: T): PollResult<T> {
  return { kind: 'done', value };
}

/** Not there, and the next look is as good as this one. */
export function pending(hint: PollHint = { kind: 'progressing' }): PollResult<never> {
  return { kind: 'pending', hint };
}
