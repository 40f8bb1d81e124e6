import { confirmationAlone } from '../../../domain/drain/drain-check.ts';
import type { RegistrationId } from '../../../domain/shard.ts';
import { formatDuration } from '../../../domain/text/duration.ts';
import { isPortFailure } from '../../../ports/failure.ts';
import { type StageContext, wordsOf } from '../../context/context.ts';
import { fitsInto } from './drain-limits.ts';

/**
 * Where no host is asked, GitLab alone says that no job is left: for how long is known beforehand, and
 * a job that may not last so long would be told only when the old shard is closed.
 */
export async function warnIfDrainTooLong(
  context: StageContext,
  id: RegistrationId | undefined,
): Promise<void> {
  const { ports, settings, run, log } = context;
  if (settings.host.access !== 'none' || id === undefined) return;
  try {
    const sight = await ports.registry.readSight(id);
    const { registry } = wordsOf(context);
    const token = `of the token it is known only that ${sight.reason}`;
    if (sight.list !== 'whole' && sight.execution === 'unknown') {
      log.warn(
        `The drain will end in DrainBlind: no host is asked (host.access), this ${registry} does not say whether jobs run, and ${token}.`,
      );
      return;
    }
    const neededMs = confirmationAlone(sight, settings.drain);
    const { timeLimitMs } = run;
    if (timeLimitMs === undefined || fitsInto(timeLimitMs, neededMs, settings.drain)) return;
    log.warn(
      `The drain will need ${formatDuration(neededMs)} in one run, and this job may last ${formatDuration(timeLimitMs)}: no host is asked (host.access), and ${token}. Give the job that drains a longer timeout.`,
    );
  } catch (error) {
    if (!isPortFailure(error)) throw error;
    log.warn(`How long the drain will have to be confirmed is not known: ${error.message}.`);
  }
}
