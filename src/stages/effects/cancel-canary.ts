import { counted } from '../../domain/text/count-text.ts';
import type { CancelledCanaries } from '../../ports/canary.ts';
import { endsRun, isPortFailure } from '../../ports/failure.ts';
import { done, pending, pollUntil } from '../../ports/poll.ts';
import type { StageContext } from '../context/context.ts';
import { untilAccepted } from './effect-gate.ts';

const tries = 2;
const pauseMs = 2000;

/**
 * Cancels leftover canaries of this deployment or of another one. A failed cancel is ignored,
 * unless the token has expired: then a retry of the same job can succeed.
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
        log.warn(`Could not cancel the canary job: ${error.message}.`);
        return done(true);
      }
    }
    return pending();
  });
}

/** Cancels the canaries of this run and of the deployment that it continues. */
export async function cancelEveryCanary(
  context: StageContext,
  how: Pick<CancelledCanaries, 'machineIsGone'> = {},
): Promise<void> {
  const { id } = context.journal.current().deployment;
  await cancelCanary(context, how);
  if (id !== context.run.deploymentId) await cancelCanary(context, { ...how, of: id });
}
