import { shardEntry } from '../../domain/deployment/record.ts';
import { usualRates } from '../../domain/health/fault-rate.ts';
import { isRunnersFault, judgeFaults } from '../../domain/health/runner-faults.ts';
import type { Shard } from '../../domain/shard.ts';
import type { FinishedJob } from '../../ports/registry.ts';
import { customersAmong } from '../health/own-canaries.ts';
import type { StageContext } from '../walk/context.ts';
import { finishedOn } from './customer-jobs.ts';

/** While the old shard drains, customers' jobs tell what the proof before the switch could not. */
export interface PromotedJobs {
  /** Says once, and loudly, that the new shard fails them; the way back is shortest now. */
  look(): Promise<void>;
}

/**
 * Nothing is kept between looks or runs: the registry's own list is judged anew. Only a deployment's new
 * shard is watched; after a rollback the old one is known.
 */
export function watchPromotedJobs(context: StageContext, drained: Shard): PromotedJobs {
  const { ports, settings, journal, log } = context;
  const { candidate, retiring, kind } = journal.current().deployment;
  const isWatched =
    settings.bake.onUnhealthy === 'report' && kind === 'deploy' && retiring === drained;
  let lookedAt: number | undefined;
  let before: readonly FinishedJob[] | undefined;
  let isTold = false;

  return {
    async look() {
      const now = ports.clock.elapsed();
      const isDue = lookedAt === undefined || now - lookedAt >= settings.drain.servicePollMs;
      if (!isWatched || isTold || !isDue) return;
      lookedAt = now;
      before ??= await customersOn(context, drained);
      const jobs = await customersOn(context, candidate);
      const known = new Set(before.map(({ id }) => id));
      const ended = jobs.some(isRunnersFault) ? await customersOn(context, drained) : [];
      const elsewhere = ended.filter(({ id }) => !known.has(id));
      const { kind: verdict, reason } = judgeFaults({ jobs, elsewhere, before, rates: usualRates });
      if (verdict !== 'unhealthy') return;
      isTold = true;
      const { registration } = shardEntry(journal.current(), drained);
      log.warn(
        `${candidate} fails more customers' jobs than a good runner: ${reason}. As long as ${drained} (${registration}) lives, it takes over again by: hosted-runner rollback --runner ${settings.runnerName}`,
      );
    },
  };
}

/** What cannot be listed is judged at the next look: nothing depends on it but a word. */
async function customersOn(context: StageContext, shard: Shard): Promise<readonly FinishedJob[]> {
  return customersAmong(context, (await finishedOn(context, shard)) ?? []);
}
