import { shardEntry } from '../../domain/deployment/record.ts';
import { isReturnable } from '../../domain/deployment/stages-and-steps.ts';
import { mayBeStopped } from '../../domain/drain/closing.ts';
import type { RegistrationId, Shard } from '../../domain/shard.ts';
import { openedByOther } from '../../errors/service.ts';
import { lookUntil, notYet, seen } from '../../ports/look-until.ts';
import { takenBackFromCustomers } from '../switch/reopen.ts';
import { findWayBack } from '../switch/way-back.ts';
import { type StageContext, wordsOf } from '../walk/context.ts';

const looksAtOpened = 4;
const openedPauseMs = 1500;

/**
 * A person who opens what our drain has closed wants it open.
 * @param isSeenClosed this run has closed it: what a retreat closes is not noted
 */
export async function refuseOpened(
  context: StageContext,
  shard: Shard,
  isSeenClosed = false,
): Promise<void> {
  const { journal, ports } = context;
  const { phase, closedAt } = journal.current().deployment;
  const isByRetreat = isSeenClosed && takenBackFromCustomers(context) === shard;
  if ((closedAt === undefined && !isByRetreat) || phase === 'promoted') return;
  const { registration, routingBefore } = shardEntry(journal.current(), shard);
  if (registration === undefined) return;
  // What a person has made is opened by us at the end of its removal, to be theirs again.
  if (phase === 'destroying' && routingBefore !== undefined) return;
  const cadence = { pollMs: openedPauseMs };
  // A read may be stale: open is only believed once it has lasted.
  const isOpen = await lookUntil({ clock: ports.clock, cadence }, async (looks) => {
    const found = await ports.registry.find(registration);
    if (found.kind === 'absent' || found.value.paused) return seen(false);
    return looks >= looksAtOpened ? seen(true) : notYet();
  });
  if (isOpen) throw await tellOpened(context, shard, registration);
}

async function tellOpened(context: StageContext, shard: Shard, registration: RegistrationId) {
  const { settings, stage, journal } = context;
  const { deployment } = journal.current();
  return openedByOther({
    runner: settings.runnerName,
    stage,
    shard,
    registration,
    words: wordsOf(context),
    back: await findWayBack(context, shard),
    isStopped: !isReturnable(deployment.phase) || mayBeStopped(deployment),
  });
}
