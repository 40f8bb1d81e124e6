import type { Cadence } from '../../domain/deployment/pace.ts';
import type { Clock } from '../../ports/clock.ts';
import { done, pending, pollUntil } from '../../ports/poll.ts';
import type { NewParameter, StateStore } from '../../ports/state-store.ts';

/** Each attempt is a write request, and AWS allows three writes a second per account. */
export const nameCadence: Cadence = { pollMs: 6000, fineMs: 1000 };
/** Together 44 seconds. */
const mostChecks = 9;

/**
 * Creates a parameter, and waits for a name that AWS still reserves. For 30 s after a deletion, AWS
 * refuses the name as if the parameter existed.
 * @returns its version; `undefined` if it exists already or the name does not become free
 */
export async function createWhenNameIsFree(
  { parameters, clock }: { parameters: StateStore; clock: Clock },
  parameter: NewParameter,
  warnWhenHeld?: () => void,
): Promise<number | undefined> {
  return pollUntil({ clock, cadence: nameCadence }, async (polls) => {
    const created = await parameters.create(parameter);
    if (created.kind === 'created') return done(created.version);
    if (polls > mostChecks || (await parameters.find(parameter.name)) !== undefined)
      return done(undefined);
    warnWhenHeld?.();
    return pending({ kind: 'fresh', polls });
  });
}

/** Formats the wait for a reserved name; `whose` names its former owner. */
export function nameHeld(whose: string): string {
  return `Waiting: AWS reserves the name of ${whose} for 30s after its deletion.`;
}
