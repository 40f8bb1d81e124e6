import { shardEntry } from '../../../domain/deployment/record.ts';
import type { Shard } from '../../../domain/shard.ts';
import { lineOf } from '../../../errors/fix-line.ts';
import { rollbackBlockedUntil, rollbackLine } from '../../../errors/recovery-lines.ts';
import type { StageContext } from '../../context/context.ts';
import { watchFaults } from '../bake/candidate-faults.ts';

/**
 * Watch of customer jobs on the new shard during the drain. They may reveal problems that the proof
 * before the switch missed.
 */
export interface PromotedJobs {
  /** Warns once if the new shard fails customer jobs. An operator decides on a rollback. */
  check(): Promise<undefined>;
}

/**
 * Checks the registry's current list each time; a failed list is read at the next check. Only a
 * deployment's new shard is watched: after a rollback the shard is already known.
 */
export function watchPromotedJobs(context: StageContext, drained: Shard): PromotedJobs {
  const { ports, settings, journal, log, typed } = context;
  const { candidate, retiring, kind, bake } = journal.current().deployment;
  const isOfDrained = kind === 'deploy' && retiring === drained;
  // During a bake, the bake's checks report failures.
  const isWatched = settings.bake.onUnhealthy === 'report' && isOfDrained && bake === undefined;
  let checkedAt: number | undefined;
  const faults = watchFaults(context);
  let hasWarned = false;

  return {
    async check() {
      const now = ports.clock.elapsed();
      const isDue = checkedAt === undefined || now - checkedAt >= settings.drain.servicePollMs;
      if (!isWatched || hasWarned || !isDue) return undefined;
      checkedAt = now;
      const found = await faults.check(context);
      if (found?.verdict.kind !== 'unhealthy') return undefined;
      hasWarned = true;
      const { registration } = shardEntry(journal.current(), drained);
      const bad = `${candidate} fails more customer jobs than a good runner: ${found.verdict.reason}.`;
      const who = registration === undefined ? drained : `${drained} (${registration})`;
      const back = rollbackLine(settings.runnerName, who, rollbackBlockedUntil.byRun);
      log.warn(lineOf({ ...back, text: `${bad} ${back.text}` }, typed));
      return undefined;
    },
  };
}
