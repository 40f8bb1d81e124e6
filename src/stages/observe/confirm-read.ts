import type { RegistrationId } from '../../domain/shard.ts';
import { done, pending, pollUntil } from '../../ports/poll.ts';
import type { Registration } from '../../ports/registry.ts';
import type { StageContext } from '../context/context.ts';
import { findRegistration } from './observe.ts';

const mostReads = 4;
const pauseMs = 1500;

interface Lasting {
  readonly isLasting: boolean;
  /** Runner as the last read showed it. */
  readonly shown: Registration | undefined;
}

/** Repeats a read that may be stale. An operator's change counts only once it has lasted. */
export async function confirmRead(
  context: StageContext,
  id: RegistrationId,
  isSo: (registration: Registration) => boolean,
): Promise<Lasting> {
  const cadence = { pollMs: pauseMs };
  return pollUntil<Lasting>({ clock: context.ports.clock, cadence }, async (polls) => {
    const shown = await findRegistration(context, id);
    if (shown === undefined || !isSo(shown)) return done({ isLasting: false, shown });
    return polls >= mostReads ? done({ isLasting: true, shown }) : pending();
  });
}
