import { shardEntry } from '../../domain/deployment/record.ts';
import { isBefore } from '../../domain/deployment/steps.ts';
import { otherShard, type Shard } from '../../domain/shard.ts';
import { reopenedTwice, serviceUnproven } from '../../errors/service.ts';
import { isWayOutOpen } from '../service/nothing-serves.ts';
import { openAndThrow } from '../service/service-keeper.ts';
import { failWhereUnread, proveService, untilGrown } from '../service/service-proof.ts';
import { watchService } from '../service/service-watch.ts';
import { isOursToOpen } from '../switch/reopen.ts';
import { findWayBack } from '../switch/way-back.ts';
import type { StageContext } from '../walk/context.ts';

/**
 * S1: the shard that stays is proven to serve before the other one stops to. Of a drain that goes on
 * without that, since when it is not.
 */
export async function refuseLastShard(
  context: StageContext,
  retiring: Shard,
): Promise<number | undefined> {
  const askedAt = context.ports.clock.elapsed();
  const { journal, settings, stage } = context;
  const { reopened, closedAt } = journal.current().deployment;
  const other = otherShard(settings.shards, retiring);
  const facts = { runner: settings.runnerName, drained: retiring, other };
  if (context.although === 'nothing_serves') return undefined;
  if (reopened !== undefined && reopened.times >= 2 && closedAt === undefined)
    throw reopenedTwice({
      ...facts,
      ...reopened,
      back: await findWayBack(context, retiring),
      wayOut: await areBothBeyondServing(context, { retiring, other }),
    });
  const service = await proveService(context, other);
  if (service.kind === 'proven') {
    context.log.act(`Saw that ${other} serves: ${service.reason}.`);
    return undefined;
  }
  if (closedAt === undefined && !(await isClosedUnnoted(context, retiring))) {
    await failWhereUnread(context, other, service);
    const use = `${retiring} would be closed`;
    throw serviceUnproven({
      runner: settings.runnerName,
      stage,
      shard: retiring,
      other,
      use,
      service,
      back: await findWayBack(context, retiring),
      wayOut: await isWayOutOpen(context, retiring, service),
    });
  }
  // A drain that goes on waits for the proof; what is known to be bad is not waited for. One whose
  // shard was opened again does not go on: closing it needs a new proof.
  const goesOn = !isBefore(journal.current().deployment.phase, 'draining');
  if (service.kind !== 'unknown' || !goesOn || !isOursToOpen(context, retiring))
    await openAndThrow(context, { drained: retiring, other, service });
  return askedAt;
}

/** A drain that died between its pause and the note of it. */
async function isClosedUnnoted(context: StageContext, retiring: Shard): Promise<boolean> {
  const { journal, ports } = context;
  const { registration } = shardEntry(journal.current(), retiring);
  if (registration === undefined || !isOursToOpen(context, retiring)) return false;
  const found = await ports.registry.find(registration);
  return found.kind === 'found' && found.value.paused;
}

/** One that comes and goes may be back by now: an activation proves that. */
async function areBothBeyondServing(
  context: StageContext,
  { retiring, other }: { retiring: Shard; other: Shard },
): Promise<boolean> {
  const service = await untilGrown(context, watchService(context, other));
  return service.kind === 'disproven' && (await isWayOutOpen(context, retiring, service));
}
