import { isPortFailure } from '../ports/failure.ts';
import type { StageContext } from './context.ts';

/** Leftovers of the canary; that they cannot be cancelled stops nothing. */
export async function cancelCanary({ ports, settings, log }: StageContext): Promise<void> {
  if (settings.canary.kind === 'off') return;
  try {
    const cancelled = await ports.canary.cancel();
    if (cancelled > 0) log.act(`Cancelled ${cancelled} canary jobs.`);
  } catch (error) {
    if (!isPortFailure(error)) throw error;
    log.warn(`The canary's job could not be cancelled: ${error.message}.`);
  }
}
