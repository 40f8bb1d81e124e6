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
  /** Customer jobs that ended on the promoted shard, in the period that is listed completely. */
  readonly jobs: readonly FinishedJob[];
  readonly verdict: FaultVerdict;
}

export interface FaultWatch {
  /**
   * Checks the registry's current list. It keeps only the jobs that ended on the old shard before
   * the promotion, by the record's time, so every run returns the same verdict. Returns undefined
   * if the promoted shard's jobs cannot be listed.
   */
  check(using: StageContext): Promise<PromotedFaults | undefined>;
  /**
   * Returns the customer jobs that ended on the old shard before the promotion; empty if they
   * cannot be listed.
   */
  before(): readonly FinishedJob[];
}

/** Watches failures of customer jobs on the promoted shard, compared with the old shard. */
export function watchFaults(context: StageContext): FaultWatch {
  const { candidate, retiring, bake, phaseAt } = context.journal.current().deployment;
  const promotedAt = Date.parse(bake?.since ?? phaseAt);
  let before: readonly FinishedJob[] | undefined;
  const queried = new Set<string>();
  const outages: number[] = [];

  /**
   * Queries the hosts at each new failure, while its cause may still be visible, and before a
   * verdict. A drained shard has no jobs for a comparison.
   */
  async function withoutOutage(
    using: StageContext,
    other: Shard | undefined,
    facts: Omit<FaultFacts, 'outages'>,
  ): Promise<FaultVerdict> {
    const verdict = judgeFaults({ ...facts, outages });
    const fresh = facts.jobs.filter((job) => isRunnersFault(job) && !queried.has(job.id));
    for (const { id } of fresh) queried.add(id);
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
    async check(using) {
      before ??= retiring === undefined ? [] : await customersBefore(using, retiring, promotedAt);
      const found = await customersOn(using, candidate);
      if (found === undefined) return undefined;
      const all = [...found.jobs, ...found.olderFailed];
      const isFaulty = retiring !== undefined && all.some(isRunnersFault);
      // All jobs: the registry's clock alone decides which jobs ended close together.
      const ofOld = isFaulty ? await customersOn(using, retiring) : nothing;
      if (ofOld === undefined) {
        const reason = `the customer jobs of ${retiring} cannot be listed, and their failures may have the same cause`;
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

/** Customer jobs. The unlisted number includes canaries. */
interface CustomersHistory {
  readonly jobs: readonly FinishedJob[];
  readonly olderFailed: readonly FinishedJob[];
  readonly unlisted: number | 'unknown';
}

const nothing: CustomersHistory = { jobs: [], olderFailed: [], unlisted: 0 };

/** Returns undefined if the jobs cannot be listed: a missing list is never a good result. */
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

/**
 * Returns the jobs of the completely listed period. From the older period only failures are known,
 * which would exaggerate them.
 */
async function customersBefore(context: StageContext, shard: Shard, at: number) {
  const found = await customersOn(context, shard);
  return found && endedBefore(found.jobs, at);
}
