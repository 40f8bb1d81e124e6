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
import { canForceRemoval, listRecoveries } from '../../service/recovery-when-none-serves.ts';
import { findRollbackTarget } from '../../service/rollback-target.ts';
import { reopenForLost } from '../../service/service-keeper.ts';
import {
  checkUntilCountsGrow,
  failWhereUnread,
  proveService,
} from '../../service/service-proof.ts';

export interface ServiceCheck {
  readonly kind: 'goes_on';
  /** When the look that proves it began; undefined of what goes on without a proof. */
  readonly seenAt?: Timestamps | undefined;
  /** By our clock that never jumps: since when a drain that goes on has none. */
  readonly notProvenSince?: number;
}

/** S1: the shard that stays is proven to serve before the other one stops to. */
export async function requireOtherServes(
  context: StageContext,
  retiring: Shard,
): Promise<ServiceCheck | Rollback> {
  const askedAt = context.ports.clock.elapsed();
  const { journal, settings, stage } = context;
  const record = journal.current();
  const { reopened, phase } = record.deployment;
  const isNoted = pausedSince(record) !== undefined;
  const other = otherShard(settings.shards, retiring);
  const facts = { runner: settings.runnerName, drained: retiring, other };
  if (context.forceWhenNothingServes) return { kind: 'goes_on' };
  const isOpened = !isNoted || isBefore(phase, 'draining');
  if (reopened !== undefined && isLeftToOperator(reopened.times) && isOpened) {
    // A pause may have landed after a run that was cut short.
    if (isNoted) {
      const reason = `${other} stopped serving ${reopened.times} times, and a person decides`;
      await reopenIntake(context, retiring, { kind: 'unknown', reason });
    }
    throw reopenedTwice({
      ...facts,
      ...reopened,
      back: await findRollbackTarget(context, retiring),
      wayOut: await areBothBeyondServing(context, { retiring, other }),
    });
  }
  // Its drain goes on with what this has seen of the hosts.
  const watch = watchOfRun(context, other);
  const service = await proveService(context, other, watch);
  if (service.kind === 'proven') {
    context.log.act(`Saw that ${other} serves: ${service.reason}.`);
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
  // A drain that goes on waits for the proof; what is known to be bad is not waited for. One whose
  // shard was opened again does not go on: closing it needs a new proof.
  const goesOn = !isBefore(phase, 'draining');
  if (service.kind !== 'unknown' || !goesOn || !isPauseNoted(context, retiring))
    return reopenForLost(context, { drained: retiring, other, service });
  return { kind: 'goes_on', notProvenSince: askedAt };
}

async function formatUse(context: StageContext, retiring: Shard): Promise<string> {
  const { registration } = shardEntry(context.journal.current(), retiring);
  const found = registration && (await findRegistration(context, registration));
  return found?.paused === true
    ? `${retiring} is ${wordsOf(context).paused} already and would be stopped and removed`
    : `${retiring} would be closed`;
}

/** One that comes and goes may be back by now: an activation proves that. */
async function areBothBeyondServing(
  context: StageContext,
  { retiring, other }: { retiring: Shard; other: Shard },
): Promise<boolean> {
  const service = await checkUntilCountsGrow(context, watchService(context, other));
  return service.kind === 'disproven' && (await canForceRemoval(context, retiring, service));
}
