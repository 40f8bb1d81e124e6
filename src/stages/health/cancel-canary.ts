import type { DeploymentId } from '../../domain/shard.ts';
import { isPortFailure } from '../../ports/failure.ts';
import { lookUntil, notYet, seen } from '../../ports/look-until.ts';
import type { StageContext } from '../walk/context.ts';

const tries = 2;
const pauseMs = 2000;

/**
 * Leftovers of our canary, or of a given-up deployment's. That they cannot be cancelled stops nothing,
 * unless our token has ended: then the next run of the same job can.
 */
export async function cancelCanary(context: StageContext, givenUp?: DeploymentId): Promise<void> {
  const { ports, settings, log } = context;
  if (settings.canary.kind === 'off') return;
  await lookUntil({ clock: ports.clock, cadence: { pollMs: pauseMs } }, async (attempt) => {
    try {
      const cancelled = await (givenUp === undefined
        ? ports.canary.cancel()
        : ports.canary.cancel(givenUp));
      if (cancelled > 0) log.act(`Cancelled ${cancelled} canary jobs.`);
      return seen(true);
    } catch (error) {
      if (!isPortFailure(error) || error.kind === 'unauthenticated') throw error;
      if (attempt >= tries) {
        log.warn(`The canary's job could not be cancelled: ${error.message}.`);
        return seen(true);
      }
    }
    return notYet();
  });
}
