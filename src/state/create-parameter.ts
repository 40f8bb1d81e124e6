import type { Clock } from '../ports/clock.ts';
import { lookUntil, notYet, seen } from '../ports/look-until.ts';
import type { ParameterStore } from '../ports/parameters.ts';

const mostLooks = 20;
const pauseMs = 2000;

/**
 * Creates a parameter, and waits for a name that AWS keeps back: for 30 s after a parameter was
 * deleted it refuses its name in the words for one that exists.
 * @returns its version; `undefined` where there is one already, or the name does not become free
 */
export async function createOnceFree(
  { parameters, clock }: { parameters: ParameterStore; clock: Clock },
  parameter: Parameters<ParameterStore['create']>[0],
  tellHeld?: () => void,
): Promise<number | undefined> {
  return lookUntil({ clock, cadence: { pollMs: pauseMs } }, async (looks) => {
    const created = await parameters.create(parameter);
    if (created.kind === 'created') return seen(created.version);
    if (looks > mostLooks || (await parameters.find(parameter.name)) !== undefined)
      return seen(undefined);
    tellHeld?.();
    return notYet();
  });
}
