import type { RegistrationId } from '../../domain/shard.ts';
import { lookUntil, notYet, seen } from '../../ports/look-until.ts';
import type { Registration } from '../../ports/registry.ts';
import type { StageContext } from '../walk/context.ts';
import { findRegistration } from './observe.ts';

const looks = 4;
const pauseMs = 1500;

/** A read may be stale: what a person has done to a registration is only believed once it has lasted. */
export async function lasts(
  context: StageContext,
  id: RegistrationId,
  isSo: (registration: Registration) => boolean,
): Promise<boolean> {
  const cadence = { pollMs: pauseMs };
  return lookUntil({ clock: context.ports.clock, cadence }, async (looked) => {
    const found = await findRegistration(context, id);
    if (found === undefined || !isSo(found)) return seen(false);
    return looked >= looks ? seen(true) : notYet();
  });
}
