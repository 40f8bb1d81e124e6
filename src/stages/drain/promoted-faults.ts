import {
  endedBefore,
  type FaultVerdict,
  isRunnersFault,
  judgeFaults,
} from '../../domain/health/runner-faults.ts';
import type { Shard } from '../../domain/shard.ts';
import type { FinishedJob } from '../../ports/registry.ts';
import { customersAmong, withoutOlderCanaries } from '../health/own-canaries.ts';
import type { StageContext } from '../walk/context.ts';
import { finishedOn } from './customer-jobs.ts';

export interface PromotedFaults {
  /** Customers' jobs that have ended on the promoted shard. */
  readonly jobs: readonly FinishedJob[];
  readonly verdict: FaultVerdict;
}

export interface FaultWatch {
  /**
   * The registry's own list, judged anew; nothing is kept but what had ended on the old shard before the
   * promotion, by the time in the record: whichever run looks, and however late it began.
   * Undefined where the promoted shard's jobs cannot be listed.
   */
  look(using: StageContext): Promise<PromotedFaults | undefined>;
  /** Customers' jobs that had ended on the old shard before; none while they cannot be listed. */
  before(): readonly FinishedJob[];
}

/** Judges the shard that a deployment has promoted by its customers' jobs, beside those of the old one. */
export function watchFaults(context: StageContext): FaultWatch {
  const { candidate, retiring, bake, phaseAt } = context.journal.current().deployment;
  const promotedAt = Date.parse(bake?.since ?? phaseAt);
  let before: readonly FinishedJob[] | undefined;
  return {
    before: () => before ?? [],
    async look(using) {
      before ??= retiring === undefined ? [] : await customersBefore(using, retiring, promotedAt);
      const jobs = await customersOn(using, candidate);
      if (jobs === undefined) return undefined;
      const isFaulty = retiring !== undefined && jobs.some(isRunnersFault);
      // All of them: what lies near is told by the registry's clock alone, whatever ours says.
      const elsewhere = isFaulty ? await customersOfOld(using, retiring) : [];
      if (elsewhere === undefined) {
        const reason = `the customers' jobs of ${retiring} cannot be listed, whose faults may have the same cause`;
        return { jobs, verdict: { kind: 'inconclusive', reason } };
      }
      const { rates } = using.settings.bake;
      return { jobs, verdict: judgeFaults({ jobs, elsewhere, before: before ?? [], rates }) };
    },
  };
}

/** Undefined where they cannot be listed: no answer is never a good one. */
async function customersOn(
  context: StageContext,
  shard: Shard,
): Promise<readonly FinishedJob[] | undefined> {
  const finished = await finishedOn(context, shard);
  return finished && customersAmong(context, finished);
}

async function customersBefore(context: StageContext, shard: Shard, at: number) {
  const jobs = await customersOfOld(context, shard);
  return jobs && endedBefore(jobs, at);
}

async function customersOfOld(
  context: StageContext,
  shard: Shard,
): Promise<readonly FinishedJob[] | undefined> {
  const jobs = await customersOn(context, shard);
  return jobs && withoutOlderCanaries(context, jobs);
}
