import {
  endedBefore,
  type FaultFacts,
  type FaultVerdict,
  isRunnersFault,
  judgeFaults,
} from '../../../domain/health/runner-faults.ts';
import type { Shard } from '../../../domain/shard.ts';
import type { FinishedJob } from '../../../ports/registry.ts';
import type { StageContext } from '../../context/context.ts';
import { customersAmong, withoutAnyCanary } from '../../observe/canary-ownership.ts';
import { findSharedOutage } from './common-outage.ts';
import { historyOn } from './customer-jobs.ts';

export interface PromotedFaults {
  /** Customers' jobs that have ended on the promoted shard, of the time that is listed whole. */
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
  const asked = new Set<string>();
  const outages: number[] = [];

  /**
   * Asked of the hosts at each new fault, while what broke it may still be seen, and before a verdict: a
   * drained shard has no job that would tell.
   */
  async function withoutOutage(
    using: StageContext,
    other: Shard | undefined,
    facts: Omit<FaultFacts, 'outages'>,
  ): Promise<FaultVerdict> {
    const verdict = judgeFaults({ ...facts, outages });
    const fresh = facts.jobs.filter((job) => isRunnersFault(job) && !asked.has(job.id));
    for (const { id } of fresh) asked.add(id);
    if (other === undefined || (fresh.length === 0 && verdict.kind !== 'unhealthy')) return verdict;
    const outage = await findSharedOutage(using, candidate, other);
    if (outage === undefined) return verdict;
    outages.push(using.ports.clock.now());
    const now = judgeFaults({ ...facts, outages });
    if (now.kind !== 'unhealthy') return now;
    return { kind: 'inconclusive', reason: `${now.reason}; ${outage}` };
  }

  return {
    before: () => before ?? [],
    async look(using) {
      before ??= retiring === undefined ? [] : await customersBefore(using, retiring, promotedAt);
      const found = await customersOn(using, candidate);
      if (found === undefined) return undefined;
      const all = [...found.jobs, ...found.olderFailed];
      const isFaulty = retiring !== undefined && all.some(isRunnersFault);
      // All of them: what lies near is told by the registry's clock alone, whatever ours says.
      const ofOld = isFaulty ? await customersOn(using, retiring) : nothing;
      if (ofOld === undefined) {
        const reason = `the customers' jobs of ${retiring} cannot be listed, whose faults may have the same cause`;
        return { jobs: found.jobs, verdict: { kind: 'inconclusive', reason } };
      }
      const facts = {
        jobs: all,
        unlisted: found.unlisted,
        elsewhere: [...ofOld.jobs, ...ofOld.olderFailed],
        before: before ?? [],
        rates: using.settings.bake.rates,
      };
      const verdict = await withoutOutage(using, retiring, facts);
      return { jobs: found.jobs, verdict };
    },
  };
}

/** Customers' jobs alone; what is not listed has canaries in it. */
interface CustomersHistory {
  readonly jobs: readonly FinishedJob[];
  readonly olderFailed: readonly FinishedJob[];
  readonly unlisted: number | 'unknown';
}

const nothing: CustomersHistory = { jobs: [], olderFailed: [], unlisted: 0 };

/** Undefined where they cannot be listed: no answer is never a good one. */
async function customersOn(
  context: StageContext,
  shard: Shard,
): Promise<CustomersHistory | undefined> {
  const history = await historyOn(context, shard);
  if (history === undefined) return undefined;
  const { jobs, older } = history;
  const customers = await countedAmong(context, [...jobs, ...older.failed]);
  const isOlder = new Set(older.failed.map(({ id }) => id));
  return {
    jobs: customers.filter(({ id }) => !isOlder.has(id)),
    olderFailed: customers.filter(({ id }) => isOlder.has(id)),
    unlisted: older.others,
  };
}

async function countedAmong(context: StageContext, jobs: readonly FinishedJob[]) {
  return withoutAnyCanary(context, await customersAmong(context, jobs));
}

/** Of the time that is listed whole: with the older failures alone it would have been a bad one. */
async function customersBefore(context: StageContext, shard: Shard, at: number) {
  const found = await customersOn(context, shard);
  return found && endedBefore(found.jobs, at);
}
