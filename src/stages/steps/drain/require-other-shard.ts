import { isLeftToOperator, shardEntry } from '../../../domain/deployment/record.ts';
import { isBefore } from '../../../domain/deployment/stages-and-steps.ts';
import { pausedSince } from '../../../domain/drain/shard-intake.ts';
import { otherShard, type Shard } from '../../../domain/shard.ts';
import { reopenedTwice, serviceUnproven } from '../../../errors/service-errors.ts';
import { type StageContext, wordsOf } from '../../context/context.ts';
import type { Rollback } from '../../context/result.ts';
import type { Timestamps } from '../../context/timestamps.ts';
import { hasOwnPause, isPauseNoted, reopenIntake } from '../../effects/reopen.ts';
import { findRegistration } from '../../observe/observe.ts';
import { watchOfRun, watchService } from '../../observe/shard/service-watch.ts';
import { canForceRemoval, listRecoveries } from '../../service/recovery-by-force.ts';
import { findRollbackTarget } from '../../service/rollback-target.ts';
import { reopenForLost } from '../../service/service-keeper.ts';
import {
  checkUntilCountsGrow,
  failWhereUnread,
  proveService,
} from '../../service/service-proof.ts';

export interface ServiceCheck {
  readonly kind: 'goes_on';
  /** Start of the check that proves it; undefined without a proof. */
  readonly seenAt?: Timestamps | undefined;
  /** Monotonic time since which a continuing drain has no proof. */
  readonly notProvenSince?: number;
}

/** Verifies that the remaining shard accepts jobs before the other shard stops (invariant S1). */
export async function requireOtherAccepting(
  context: StageContext,
  retiring: Shard,
): Promise<ServiceCheck | Rollback> {
  const queriedAt = context.ports.clock.elapsed();
  const { journal, settings, stage } = context;
  const record = journal.current();
  const { reopened, phase } = record.deployment;
  const isNoted = pausedSince(record) !== undefined;
  const other = otherShard(settings.shards, retiring);
  const facts = { runner: settings.runnerName, drained: retiring, other };
  if (context.forceWhenNoneAccepts) return { kind: 'goes_on' };
  const isOpened = !isNoted || isBefore(phase, 'draining');
  if (reopened !== undefined && isLeftToOperator(reopened.times) && isOpened) {
    // The pause of an interrupted run may have taken effect late.
    if (isNoted) {
      const reason = `${other} stopped accepting jobs ${reopened.times} times, so an operator decides`;
      await reopenIntake(context, retiring, { kind: 'unknown', reason });
    }
    throw reopenedTwice({
      ...facts,
      ...reopened,
      back: await findRollbackTarget(context, retiring),
      canForceRemoval: await areBothUnavailable(context, { retiring, other }),
    });
  }
  // The drain continues with this watch and its host counters.
  const watch = watchOfRun(context, other);
  const service = await proveService(context, other, watch);
  if (service.kind === 'proven') {
    context.log.act(`Verified: ${other} accepts jobs (${service.reason}).`);
    return { kind: 'goes_on', seenAt: watch.checkedAt() };
  }
  if (!isNoted && !(await hasOwnPause(context, retiring))) {
    await failWhereUnread(context, other, service);
    const use = await formatUse(context, retiring);
    throw serviceUnproven({
      runner: settings.runnerName,
      stage,
      shard: retiring,
      other,
      use,
      service,
      ...(await listRecoveries(context, retiring, service)),
    });
  }
  // A running drain waits for a missing proof, but not after a bad result. A reopened shard needs a
  // new proof before it is paused again.
  const isDraining = !isBefore(phase, 'draining');
  if (service.kind !== 'unknown' || !isDraining || !isPauseNoted(context, retiring))
    return reopenForLost(context, { drained: retiring, other, service });
  return { kind: 'goes_on', notProvenSince: queriedAt };
}

async function formatUse(context: StageContext, retiring: Shard): Promise<string> {
  const { registration } = shardEntry(context.journal.current(), retiring);
  const found = registration && (await findRegistration(context, registration));
  return found?.paused === true
    ? `${retiring} is already ${wordsOf(context).paused}, and the next steps would stop and remove it`
    : `the drain would pause ${retiring}`;
}

/**
 * Decides whether neither shard can accept jobs. A shard that fails intermittently may be back; an
 * activation verifies that.
 */
async function areBothUnavailable(
  context: StageContext,
  { retiring, other }: { retiring: Shard; other: Shard },
): Promise<boolean> {
  const service = await checkUntilCountsGrow(context, watchService(context, other));
  return service.kind === 'disproven' && (await canForceRemoval(context, retiring, service));
}
