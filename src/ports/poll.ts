import { type Cadence, type PollHint, pauseBefore } from '../domain/deployment/pace.ts';
import type { Clock } from './clock.ts';

/** Result of one check: the value, or a hint how soon to check again. */
export type PollResult<T> =
  | { readonly kind: 'done'; readonly value: T }
  | {
      readonly kind: 'pending';
      readonly hint: PollHint;
      /** Latest time of the next check, whatever the schedule: a deadline. */
      readonly atMostMs?: number;
    };

export interface PollOptions {
  readonly clock: Pick<Clock, 'elapsed' | 'sleep'>;
  readonly cadence: Cadence;
}

/**
 * Loop of every wait: checks, and pauses as the schedule requires. It returns the value, or rejects
 * with the error of `look`, which also sets any limit. `looks` counts from 1.
 */
export async function pollUntil<T>(
  { clock, cadence }: PollOptions,
  poll: (polls: number) => Promise<PollResult<T>>,
): Promise<T> {
  for (let polls = 1; ; polls += 1) {
    const begunAt = clock.elapsed();
    const result = await poll(polls);
    if (result.kind === 'done') return result.value;
    const tookMs = clock.elapsed() - begunAt;
    const pauseMs = evenly(result.hint, pauseBefore(result.hint, cadence), tookMs);
    const atMostMs = result.atMostMs ?? Number.POSITIVE_INFINITY;
    await clock.sleep(Math.max(0, Math.min(pauseMs, atMostMs)));
  }
}

/**
 * Keeps the checks at an even pace whatever their duration, with a minimum pause for slow systems.
 */
function evenly({ kind }: PollHint, pauseMs: number, tookMs: number): number {
  if (kind !== 'progressing' && kind !== 'imminent') return pauseMs;
  return Math.max(pauseMs - tookMs, pauseMs / 4);
}

export function done<T>(value: T): PollResult<T> {
  return { kind: 'done', value };
}

/** Returns a result without a value: the next check is as likely to find one. */
export function pending(hint: PollHint = { kind: 'progressing' }): PollResult<never> {
  return { kind: 'pending', hint };
}
