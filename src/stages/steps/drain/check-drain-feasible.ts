import { confirmationAlone } from '../../../domain/drain/drain-check.ts';
import type { RegistrationId } from '../../../domain/shard.ts';
import { formatDuration } from '../../../domain/text/duration.ts';
import { isPortFailure } from '../../../ports/failure.ts';
import { type StageContext, wordsOf } from '../../context/context.ts';
import { fitsInto } from './drain-limits.ts';

/**
 * Warns before a deployment if the drain needs more time than this job has. Without host access,
 * GitLab alone must confirm that no job is left, which takes a known time. The problem would
 * otherwise appear only after the old shard is paused.
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
    if (sight.list !== 'whole' && sight.execution === 'unknown') {
      log.warn(
        `The drain will end with DrainBlind: host.access is none, this ${registry} does not report whether jobs run, and ${sight.reason}.`,
      );
      return;
    }
    const neededMs = confirmationAlone(sight, settings.drain);
    const { timeLimitMs } = run;
    if (timeLimitMs === undefined || fitsInto(timeLimitMs, neededMs, settings.drain)) return;
    log.warn(
      `The drain will need ${formatDuration(neededMs)} in one run, but this job ends after ${formatDuration(timeLimitMs)}: host.access is none, and ${sight.reason}. Increase the timeout of the job that drains.`,
    );
  } catch (error) {
    if (!isPortFailure(error)) throw error;
    log.warn(`It is unknown how long the drain must wait for its confirmation: ${error.message}.`);
  }
}
