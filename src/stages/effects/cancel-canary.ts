import { counted } from '../../domain/text/count-text.ts';
import type { CancelledCanaries } from '../../ports/canary.ts';
import { endsRun, isPortFailure } from '../../ports/failure.ts';
import { done, pending, pollUntil } from '../../ports/poll.ts';
import type { StageContext } from '../context/context.ts';
import { untilAccepted } from './effect-gate.ts';

const tries = 2;
const pauseMs = 2000;

/**
 * Leftovers of our canary, or of another deployment's. That they cannot be cancelled stops nothing,
 * unless our token has ended: then the next run of the same job can.
 */
export async function cancelCanary(
  context: StageContext,
  which: CancelledCanaries = {},
): Promise<void> {
  const { ports, settings, log } = context;
  if (settings.canary.kind === 'off') return;
  await pollUntil({ clock: ports.clock, cadence: { pollMs: pauseMs } }, async (attempt) => {
    try {
      const cancelled = await untilAccepted(context, () => ports.canary.cancel(which));
      if (cancelled > 0) log.act(`Cancelled ${counted(cancelled, 'canary job')}.`);
      return done(true);
    } catch (error) {
      if (!isPortFailure(error) || endsRun(error)) throw error;
      if (attempt >= tries) {
        log.warn(`The canary's job could not be cancelled: ${error.message}.`);
        return done(true);
      }
    }
    return pending();
  });
}

/** Whoever began it: this run, or the deployment that it goes on with. */
export async function cancelEveryCanary(
  context: StageContext,
  how: Pick<CancelledCanaries, 'machineIsGone'> = {},
): Promise<void> {
  const { id } = context.journal.current().deployment;
  await cancelCanary(context, how);
  if (id !== context.run.deploymentId) await cancelCanary(context, { ...how, of: id });
}
