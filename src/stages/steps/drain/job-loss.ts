import { describeLost } from '../../../domain/drain/job-words.ts';
import { isEndable } from '../../../domain/instance.ts';
import type { Shard } from '../../../domain/shard.ts';
import { isPortFailure } from '../../../ports/failure.ts';
import type { RegistryJob } from '../../../ports/registry.ts';
import { type StageContext, warnOnce, wordsOf } from '../../context/context.ts';

/** Warns of each job that can no longer end well, and of workers that their manager has left. */
export async function reportLost(
  context: StageContext,
  shard: Shard,
  lost: readonly RegistryJob[],
): Promise<void> {
  const { registry } = wordsOf(context);
  for (const job of lost) warnOnce(context, describeLost(job, registry));
  if (lost.length > 0) await tellOrphans(context, shard);
}

/**
 * A worker outlives its manager and goes on with what it was told, but only the manager tells the registry:
 * such a job cannot end well any more, and the next runner at that group removes the worker.
 */
async function tellOrphans({ ports, settings, log }: StageContext, shard: Shard): Promise<void> {
  try {
    const found = await ports.instances.listWorkers({ runnerName: settings.runnerName, shard });
    for (const { id, autoScalingGroup, state } of found.filter(isEndable)) {
      const group = autoScalingGroup === undefined ? '' : ` of ${autoScalingGroup}`;
      log.warn(
        `Worker ${id}${group} is ${state}, and its manager is gone: nobody can tell the end of a job that still runs there. It goes with the rest of ${shard}.`,
      );
    }
  } catch (error) {
    if (!isPortFailure(error)) throw error;
    log.warn(`Whether workers of ${shard} are left is not known: ${error.message}.`);
  }
}
