import type { Cadence } from '../../domain/deployment/pace.ts';
import type { Clock } from '../../ports/clock.ts';
import { done, pending, pollUntil } from '../../ports/poll.ts';
import type { NewParameter, StateStore } from '../../ports/state-store.ts';

/** Each look is a request to write, and AWS lets an account write three times a second. */
export const nameCadence: Cadence = { pollMs: 6000, fineMs: 1000 };
/** 44 seconds. */
const mostChecks = 9;

/**
 * Creates a parameter, and waits for a name that AWS keeps back: for 30 s after a parameter was
 * deleted it refuses its name in the words for one that exists.
 * @returns its version; `undefined` where there is one already, or the name does not become free
 */
export async function createWhenNameIsFree(
  { parameters, clock }: { parameters: StateStore; clock: Clock },
  parameter: NewParameter,
  warnWhenHeld?: () => void,
): Promise<number | undefined> {
  return pollUntil({ clock, cadence: nameCadence }, async (looks) => {
    const created = await parameters.create(parameter);
    if (created.kind === 'created') return done(created.version);
    if (looks > mostChecks || (await parameters.find(parameter.name)) !== undefined)
      return done(undefined);
    warnWhenHeld?.();
    return pending({ kind: 'fresh', looks });
  });
}

/** What a person who waits for a name is told; `whose`: of what it was. */
export function nameHeld(whose: string): string {
  return `Waiting: AWS asks for 30s before the name of ${whose} can be used again.`;
}
