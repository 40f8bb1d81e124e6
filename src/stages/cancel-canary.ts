import type { DeploymentId } from '../domain/shard.ts';
import { isPortFailure } from '../ports/failure.ts';
import type { StageContext } from './context.ts';

/** Leftovers of our canary, or of a given-up deployment's; that they cannot be cancelled stops nothing. */
export async function cancelCanary(
  { ports, settings, log }: StageContext,
  givenUp?: DeploymentId,
): Promise<void> {
  if (settings.canary.kind === 'off') return;
  try {
    const cancelled = await (givenUp === undefined
      ? ports.canary.cancel()
      : ports.canary.cancel(givenUp));
    if (cancelled > 0) log.act(`Cancelled ${cancelled} canary jobs.`);
  } catch (error) {
    if (!isPortFailure(error)) throw error;
    log.warn(`The canary's job could not be cancelled: ${error.message}.`);
  }
}
