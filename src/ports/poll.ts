import { type Cadence, type Prospect, pauseBefore } from '../domain/deployment/pace.ts';
import type { Clock } from './clock.ts';

/** What one look has found: the fact, or how near it is. */
export type Glance<T> =
  | { readonly kind: 'seen'; readonly value: T }
  | {
      readonly kind: 'not_yet';
      readonly prospect: Prospect;
      /** The next look comes no later than this, whatever the schedule says: a deadline. */
      readonly atMostMs?: number;
    };

export interface Wait {
  readonly clock: Pick<Clock, 'elapsed' | 'sleep'>;
  readonly cadence: Cadence;
  readonly signal?: AbortSignal | undefined;
}

/**
 * The one loop of every wait: looks, and lets the schedule say when to look again. Ends with what was
 * seen or with what `look` throws; a limit is the look's own. `looks` counts from 1.
 */
export async function lookUntil<T>(
  { clock, cadence, signal }: Wait,
  look: (looks: number) => Promise<Glance<T>>,
): Promise<T> {
  for (let looks = 1; ; looks += 1) {
    const begunAt = clock.elapsed();
    const glance = await look(looks);
    if (glance.kind === 'seen') return glance.value;
    const tookMs = clock.elapsed() - begunAt;
    const pauseMs = evenly(glance.prospect, pauseBefore(glance.prospect, cadence), tookMs);
    const atMostMs = glance.atMostMs ?? Number.POSITIVE_INFINITY;
    await clock.sleep(Math.max(0, Math.min(pauseMs, atMostMs)), signal);
  }
}

/** Looks begin at an even pace, whatever their answers take; who answers slowly is left some rest. */
function evenly({ kind }: Prospect, pauseMs: number, tookMs: number): number {
  if (kind !== 'coming' && kind !== 'near') return pauseMs;
  return Math.max(pauseMs - tookMs, pauseMs / 4);
}

export function seen<T>(value: T): Glance<T> {
  return { kind: 'seen', value };
}

/** Not there, and the next look is as good as this one. */
export function notYet(prospect: Prospect = { kind: 'coming' }): Glance<never> {
  return { kind: 'not_yet', prospect };
}
