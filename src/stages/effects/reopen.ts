import {
  type ReopenNote,
  shardEntry,
  withDeployment,
  withPhase,
} from '../../domain/deployment/record.ts';
import { isBefore } from '../../domain/deployment/stages-and-steps.ts';
import type { HostReading } from '../../domain/drain/drain-check.ts';
import {
  describePauseDoubt,
  isPausedByOperator,
  mayBePaused,
  pausedSince,
  shardIntake,
  withIntake,
  withoutStop,
  withPendingPause,
} from '../../domain/drain/shard-intake.ts';
import type { Service } from '../../domain/health/service-verdict.ts';
import type { RegistrationId, Shard } from '../../domain/shard.ts';
import { capital } from '../../domain/text/capital.ts';
import { formatDuration } from '../../domain/text/duration.ts';
import { truncateReason } from '../../domain/text/truncate-reason.ts';
import { endsRun, isPortFailure } from '../../ports/failure.ts';
import { done, pending, pollUntil } from '../../ports/poll.ts';
import { type StageContext, timestamp, wordsOf } from '../context/context.ts';
import { withGuardEvent } from '../context/guard-event.ts';
import { listHostReadings } from '../observe/drain-observation.ts';
import { untilAccepted } from './effect-gate.ts';
import { noteOperatorPause, rollbackTarget } from './rollback-in-progress.ts';
import { hasRouting, productionRouting } from './routing.ts';

const reopenChecks = 10;
const pauseMs = 1000;
/** A pause that was sent and never answered may land after the opening. */
const landsWithinMs = 30_000;
const landingPollMs = 5000;

export interface ReopenOptions {
  /** What its hosts say, where they were asked already. */
  readonly words?: readonly HostReading[];
  /** The run ends by an error of its own: that it knows nothing of the other shard is no second time. */
  readonly isEnding?: boolean;
  /** The run is ended by others within seconds: what takes longer is left to the next one. */
  readonly isCut?: boolean;
}

/** `was_open`: nobody has closed it yet, or an earlier run has opened it. */
export type ReopenResult = 'opened' | 'was_open' | 'closed';

/**
 * Opens the retiring shard again that our drain has closed, and nothing else: no shard is proven to
 * serve. It needs the record's fence only, because a hold or an edited status is no reason to leave
 * customers without a runner. The record first, so that whoever comes next opens it, too.
 */
export async function reopenIntake(
  context: StageContext,
  shard: Shard,
  service: Pick<Service, 'kind' | 'reason'>,
  { words: asked, isCut = false, isEnding = isCut }: ReopenOptions = {},
): Promise<ReopenResult> {
  const { journal, log } = context;
  const { registration } = shardEntry(journal.current(), shard);
  const isReturn = rollbackTarget(context) === shard;
  const isRolledBack = retreatingCandidate(context) === shard;
  if (!(isReturn || isOwnPauseNoted(context, shard)) || registration === undefined) return 'closed';
  const words = asked ?? (await listHostReadings(context, shard));
  if (words.length > 0 && words.every(({ kind }) => kind === 'stopped')) {
    log.warn(`${shard} is not opened again: its processes have ended. A rollback starts them.`);
    return 'closed';
  }
  if (isReturn && (await noteOperatorPause(context, shard))) return 'closed';
  await withGuardEvent(context, 'record', () => journal.fence());
  const before = journal.current();
  // A run that is cut short has no time to ask.
  const wasPaused = isCut || (await hasOwnPause(context, shard));
  // Who could not look again has not seen it come and go.
  const counts = !isEnding || service.kind !== 'unknown';
  if (isRolledBack) await restoreRouting(context, registration);
  // The record of a rollback says already that it is to be open, and that of a retreat whose it was.
  if (!isReturn && !isRolledBack)
    await noteReopening(
      context,
      shard,
      wasPaused ? { why: service.reason, counts, isSeen: !isCut } : undefined,
    );
  const left = await openIntake(context, registration);
  if (left === 'closed' || (isReturn && left === 'was_open')) return left;
  const isOpen =
    wasPaused || pausedSince(before) !== undefined
      ? 'is open already, and stays so'
      : 'was not closed yet, and stays open';
  const untold = words.some(({ kind }) => kind === 'jobs')
    ? ''
    : ', and no host of it says that it takes them';
  log.warn(
    left === 'opened'
      ? `OPENED ${shard} AGAIN: ${service.reason}. Customers' jobs go to ${wordsOf(context).registration} ${registration} of ${shard}${untold}.`
      : `${shard} ${isOpen}: ${service.reason}.`,
  );
  const doubt = left === 'opened' ? describePauseDoubt(before) : undefined;
  if (doubt !== undefined)
    log.warn(`${shard} had been ${wordsOf(context).paused} since it was opened: ${doubt}.`);
  // The note that our drain closed it stays until then: the next run opens it, should a pause land late.
  if (isCut) return left;
  await keepOpen(context, { shard, id: registration });
  if (!isReturn && !isRolledBack)
    await journal.write(withIntake(journal.current(), shard, 'reopened', timestamp(context)));
  return left;
}

/**
 * The candidate that a retreat takes out of customers' hands, as long as nothing of it was taken away. A
 * tag that we have put on and taken off is no reason to think that it could not serve.
 */
export function retreatingCandidate({ journal }: StageContext): Shard | undefined {
  const { phase, candidate, retiring } = journal.current().deployment;
  if (phase !== 'retreating' || retiring === undefined) return undefined;
  const { productionTag, removal, routingBefore } = shardEntry(journal.current(), candidate);
  const isOurs = productionTag && removal === undefined && routingBefore === undefined;
  return isOurs ? candidate : undefined;
}

/** Closed by our drain or by a retreat, and by nobody before them; nothing of it is taken away yet. */
export function isOwnPauseNoted(context: StageContext, shard: Shard): boolean {
  return isPauseNoted(context, shard) && !isPausedByOperator(context.journal.current(), shard);
}

/**
 * The same, whoever has closed it for its drain: for the one of this deployment, or of the one that an
 * activation has taken over; or for a retreat. A drain that was cut off between its pause and the note of it
 * has closed it all the same.
 */
export function isPauseNoted(context: StageContext, shard: Shard): boolean {
  if (retreatingCandidate(context) === shard) return true;
  const record = context.journal.current();
  const { retiring, phase } = record.deployment;
  if (retiring !== shard || !mayBePaused(record, shard)) return false;
  return phase !== 'done' && shardEntry(record, shard).removal === undefined;
}

/**
 * Whether our drain has closed it, noted or not: it may have died between its pause and the note of it,
 * and its pause may have been refused.
 */
export async function hasOwnPause(context: StageContext, shard: Shard): Promise<boolean> {
  const { journal, ports } = context;
  if (!isOwnPauseNoted(context, shard)) return false;
  const record = journal.current();
  // Once it was opened again, only a pause that lands late closes it.
  if (record.deployment.phase !== 'promoted' && pausedSince(record) !== undefined) return true;
  const { registration } = shardEntry(journal.current(), shard);
  if (registration === undefined) return false;
  const found = await ports.registry.find(registration);
  return found.kind === 'found' && found.value.paused;
}

/** A pause that is under way closes what is promoted: that it may is noted, so that the next run opens it. */
async function noteReopening(
  context: StageContext,
  shard: Shard,
  opening: { why: string; counts: boolean; isSeen: boolean } | undefined,
): Promise<void> {
  const { resumedIn } = context.memory;
  const record = context.journal.current();
  const at = timestamp(context);
  const { phase, reopened } = record.deployment;
  // One that died between its note and the opening is the same opening.
  if (phase === 'promoted' && reopened && reopened.at >= shardIntake(record, shard).since) return;
  // What this run has sent, and lost, is noted already; of an earlier run's nobody knows.
  const isKnown = opening?.isSeen ?? (resumedIn !== undefined && resumedIn !== 'draining');
  const sent = withIntake(isKnown ? record : withPendingPause(record), shard, 'reopening', at);
  const noted = withDeployment(withoutStop(sent), noteOf(opening, { at, reopened }));
  // What is not promoted yet has nothing to go back from.
  const next = isBefore(phase, 'promoted') ? noted : withPhase(noted, 'promoted', at);
  await context.journal.write(next);
}

function noteOf(
  opening: { why: string; counts: boolean } | undefined,
  { at, reopened }: { at: string; reopened: ReopenNote | undefined },
): { reopened?: ReopenNote } {
  if (opening === undefined) return {};
  const times = (reopened?.times ?? 0) + (opening.counts ? 1 : 0);
  return { reopened: { times, at, why: truncateReason(opening.why) } };
}

/** Without the record's other guards: a hold is no reason to leave customers without a runner. */
async function restoreRouting(context: StageContext, id: RegistrationId): Promise<void> {
  const { registry } = context.ports;
  const found = await registry.find(id);
  const routing = productionRouting(context);
  if (found.kind === 'absent' || hasRouting(found.value, routing)) return;
  await sendOpening(context, () => registry.route(id, routing));
}

async function openIntake(context: StageContext, id: RegistrationId): Promise<ReopenResult> {
  const { ports } = context;
  return pollUntil<ReopenResult>(
    { clock: ports.clock, cadence: { pollMs: pauseMs } },
    async (looks) => {
      const found = await ports.registry.find(id);
      if (found.kind === 'absent') return done('closed');
      if (!found.value.paused) return done(looks === 1 ? 'was_open' : 'opened');
      if (looks > reopenChecks) return done('closed');
      if (looks % 3 === 1) await sendOpening(context, () => ports.registry.setIntake(id, 'open'));
      return pending();
    },
  );
}

async function keepOpen(
  context: StageContext,
  { shard, id }: { shard: Shard; id: RegistrationId },
): Promise<void> {
  const { clock, registry } = context.ports;
  const { registration, paused } = wordsOf(context);
  const endsAt = clock.elapsed() + landsWithinMs;
  context.log.wait(
    `Waiting: a write that was sent before may land late and close ${shard} again, ${formatDuration(landsWithinMs)} in all.`,
  );
  await pollUntil({ clock, cadence: { pollMs: landingPollMs } }, async () => {
    try {
      const found = await registry.find(id);
      if (found.kind === 'absent') return done(undefined);
      if (found.value.paused) {
        context.log.warn(
          `${capital(registration)} ${id} of ${shard} was ${paused} once more by a write that landed late; it is opened again.`,
        );
        await openIntake(context, id);
      }
    } catch (error) {
      // What cannot be asked now may be asked at the next look.
      if (!isPortFailure(error) || endsRun(error)) throw error;
    }
    return clock.elapsed() >= endsAt ? done(undefined) : pending();
  });
}

/** A write that had to wait checks the record again before it is sent. An answer that was lost is looked for. */
async function sendOpening(context: StageContext, write: () => Promise<unknown>): Promise<void> {
  try {
    await untilAccepted(context, async (attempt) => {
      if (attempt > 1) await withGuardEvent(context, 'record', () => context.journal.fence());
      await write();
    });
  } catch (error) {
    if (!isPortFailure(error) || error.effect === 'none') throw error;
  }
}
