import { shardEntry } from '../../domain/deployment/record.ts';
import { isReturnable } from '../../domain/deployment/stages-and-steps.ts';
import { isClosedByOther, mayBeStopped } from '../../domain/drain/closing.ts';
import type { RegistrationId, Shard } from '../../domain/shard.ts';
import { openedByOther } from '../../errors/service.ts';
import { lookUntil, notYet, seen } from '../../ports/look-until.ts';
import type { Registration } from '../../ports/registry.ts';
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
  const { journal } = context;
  const { phase, closedAt, retiring } = journal.current().deployment;
  const isByDrain = retiring === shard && closedAt !== undefined;
  const isByRetreat = isSeenClosed && takenBackFromCustomers(context) === shard;
  if (!(isByDrain || isByRetreat) || phase === 'promoted') return;
  const { registration, routingBefore } = shardEntry(journal.current(), shard);
  if (registration === undefined) return;
  // What a person has made is opened by us at the end of its removal, to be theirs again.
  if (phase === 'destroying' && routingBefore !== undefined) return;
  const isOpen = await lasts(context, registration, ({ paused }) => !paused);
  if (isOpen) throw await tellOpened(context, shard, registration);
}

/**
 * Whether a person has closed a shard whose drain begins. As long as a closing of ours is in the record, a
 * pause of ours may still have landed.
 */
export async function isFoundClosed(context: StageContext, shard: Shard): Promise<boolean> {
  const { deployment } = context.journal.current();
  const { registration } = shardEntry(context.journal.current(), shard);
  const isOurs = deployment.closedAt !== undefined && !isClosedByOther(deployment);
  if (isOurs || registration === undefined) return false;
  return lasts(context, registration, ({ paused }) => paused);
}

/** A read may be stale: what a person has done is only believed once it has lasted. */
async function lasts(
  { ports }: StageContext,
  id: RegistrationId,
  isSo: (registration: Registration) => boolean,
): Promise<boolean> {
  const cadence = { pollMs: openedPauseMs };
  return lookUntil({ clock: ports.clock, cadence }, async (looks) => {
    const found = await ports.registry.find(id);
    if (found.kind === 'absent' || !isSo(found.value)) return seen(false);
    return looks >= looksAtOpened ? seen(true) : notYet();
  });
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
    closedByOther: isClosedByOther(deployment),
  });
}
