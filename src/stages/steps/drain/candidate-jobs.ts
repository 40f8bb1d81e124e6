import { shardEntry } from '../../../domain/deployment/record.ts';
import type { Shard } from '../../../domain/shard.ts';
import { lineOf } from '../../../errors/fix-line.ts';
import { rollbackBlockedUntil, rollbackLine } from '../../../errors/recovery-lines.ts';
import type { StageContext } from '../../context/context.ts';
import { watchFaults } from '../bake/candidate-faults.ts';

/** While the old shard drains, customers' jobs tell what the proof before the switch could not. */
export interface PromotedJobs {
  /** Warns once that the new shard fails them. No rollback begins by itself: an operator decides. */
  look(): Promise<undefined>;
}

/**
 * Nothing is kept between looks or runs: the registry's own list is judged anew, and what cannot be
 * listed at the next look. Only a deployment's new shard is watched; after a rollback the old one is known.
 */
export function watchPromotedJobs(context: StageContext, drained: Shard): PromotedJobs {
  const { ports, settings, journal, log, typed } = context;
  const { candidate, retiring, kind, bake } = journal.current().deployment;
  const isOfDrained = kind === 'deploy' && retiring === drained;
  // Where there is a bake, its judge tells.
  const isWatched = settings.bake.onUnhealthy === 'report' && isOfDrained && bake === undefined;
  let checkedAt: number | undefined;
  const faults = watchFaults(context);
  let isTold = false;

  return {
    async look() {
      const now = ports.clock.elapsed();
      const isDue = checkedAt === undefined || now - checkedAt >= settings.drain.servicePollMs;
      if (!isWatched || isTold || !isDue) return undefined;
      checkedAt = now;
      const found = await faults.look(context);
      if (found?.verdict.kind !== 'unhealthy') return undefined;
      isTold = true;
      const { registration } = shardEntry(journal.current(), drained);
      const bad = `${candidate} fails more customers' jobs than a good runner: ${found.verdict.reason}.`;
      const who = registration === undefined ? drained : `${drained} (${registration})`;
      const back = rollbackLine(settings.runnerName, who, rollbackBlockedUntil.byRun);
      log.warn(lineOf({ ...back, say: `${bad} ${back.say}` }, typed));
      return undefined;
    },
  };
}
