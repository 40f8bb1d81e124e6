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
/** A pause without a response may take effect after the reopening. */
const landsWithinMs = 30_000;
const landingPollMs = 5000;

export interface ReopenOptions {
  /** Host readings, if the hosts were already queried. */
  readonly words?: readonly HostReading[];
  /** The run ends with another error; an unknown other shard is then no second outage. */
  readonly isEnding?: boolean;
  /** The run will be ended within seconds, so longer work is left to the next run. */
  readonly isCut?: boolean;
}

/** `was_open`: the shard has not been paused yet, or an earlier run has reopened it. */
export type ReopenResult = 'opened' | 'was_open' | 'closed';

/**
 * Unpauses the retiring shard if a drain of hosted-runner paused it and no shard is verified.
 * Checks only the record version: a hold or an edited status must not keep customers without a
 * runner. Writes the record first, to let a later run repeat the reopening.
 */
export async function reopenIntake(
  context: StageContext,
  shard: Shard,
  service: Pick<Service, 'kind' | 'reason'>,
  { words: readings, isCut = false, isEnding = isCut }: ReopenOptions = {},
): Promise<ReopenResult> {
  const { journal, log } = context;
  const { registration } = shardEntry(journal.current(), shard);
  const isReturn = rollbackTarget(context) === shard;
  const isRolledBack = retreatingCandidate(context) === shard;
  if (!(isReturn || isOwnPauseNoted(context, shard)) || registration === undefined) return 'closed';
  const words = readings ?? (await listHostReadings(context, shard));
  if (words.length > 0 && words.every(({ kind }) => kind === 'stopped')) {
    log.warn(`Did not reopen ${shard}: its processes have ended. A rollback starts them.`);
    return 'closed';
  }
  if (isReturn && (await noteOperatorPause(context, shard))) return 'closed';
  await withGuardEvent(context, 'record', () => journal.fence());
  const before = journal.current();
  // A run with seconds left has no time for the query.
  const wasPaused = isCut || (await hasOwnPause(context, shard));
  // A run that could not repeat an unknown check has not confirmed an outage.
  const counts = !isEnding || service.kind !== 'unknown';
  if (isRolledBack) await restoreRouting(context, registration);
  // The records of a rollback and of a retreat already state that this shard may be reopened.
  if (!isReturn && !isRolledBack)
    await noteReopening(
      context,
      shard,
      wasPaused ? { why: service.reason, counts, isSeen: !isCut } : undefined,
    );
  const left = await unpauseRunner(context, registration);
  if (left === 'closed' || (isReturn && left === 'was_open')) return left;
  const isOpen =
    wasPaused || pausedSince(before) !== undefined
      ? 'was already unpaused and stays so'
      : 'was not paused yet and stays unpaused';
  const exception = words.some(({ kind }) => kind === 'jobs')
    ? ''
    : ', but none of its hosts reports that it accepts them';
  log.warn(
    left === 'opened'
      ? `REOPENED ${shard}: ${service.reason}. Customer jobs go to ${wordsOf(context).registration} ${registration} of ${shard}${exception}.`
      : `${shard} ${isOpen}: ${service.reason}.`,
  );
  const doubt = left === 'opened' ? describePauseDoubt(before) : undefined;
  if (doubt !== undefined)
    log.warn(`${shard} had been ${wordsOf(context).paused} since its last reopening, ${doubt}.`);
  // Noted last: if the pause takes effect late, the next run reopens the shard.
  if (isCut) return left;
  await keepOpen(context, { shard, id: registration });
  if (!isReturn && !isRolledBack)
    await journal.write(withIntake(journal.current(), shard, 'reopened', timestamp(context)));
  return left;
}

/**
 * Returns the candidate of a retreat, if nothing of it has been removed: it may still accept jobs
 * without its production tag. A runner that existed before is excluded.
 */
export function retreatingCandidate({ journal }: StageContext): Shard | undefined {
  const { phase, candidate, retiring } = journal.current().deployment;
  if (phase !== 'retreating' || retiring === undefined) return undefined;
  const { productionTag, removal, routingBefore } = shardEntry(journal.current(), candidate);
  const isIntact = productionTag && removal === undefined && routingBefore === undefined;
  return isIntact ? candidate : undefined;
}

/** Decides whether only hosted-runner paused the shard, and nothing of it is removed yet. */
export function isOwnPauseNoted(context: StageContext, shard: Shard): boolean {
  return isPauseNoted(context, shard) && !isPausedByOperator(context.journal.current(), shard);
}

/**
 * Decides whether the record notes a pause of the shard for a drain or a retreat, even after an
 * operator's pause. The drain may belong to the deployment that an activation has replaced. A drain
 * that was interrupted before its note counts too.
 */
export function isPauseNoted(context: StageContext, shard: Shard): boolean {
  if (retreatingCandidate(context) === shard) return true;
  const record = context.journal.current();
  const { retiring, phase } = record.deployment;
  if (retiring !== shard || !mayBePaused(record, shard)) return false;
  return phase !== 'done' && shardEntry(record, shard).removal === undefined;
}

/** Returns whether the drain has paused the shard, even if it died before its note. */
export async function hasOwnPause(context: StageContext, shard: Shard): Promise<boolean> {
  const { journal, ports } = context;
  if (!isOwnPauseNoted(context, shard)) return false;
  const record = journal.current();
  // After a reopening, only a pause that takes effect late can pause the shard.
  if (record.deployment.phase !== 'promoted' && pausedSince(record) !== undefined) return true;
  const { registration } = shardEntry(journal.current(), shard);
  if (registration === undefined) return false;
  const found = await ports.registry.find(registration);
  return found.kind === 'found' && found.value.paused;
}

/** Notes that a pending pause may still pause the promoted shard; the next run then reopens it. */
async function noteReopening(
  context: StageContext,
  shard: Shard,
  opening: { why: string; counts: boolean; isSeen: boolean } | undefined,
): Promise<void> {
  const { resumedIn } = context.memory;
  const record = context.journal.current();
  const at = timestamp(context);
  const { phase, reopened } = record.deployment;
  // A run that died between its note and the request counts as the same reopening.
  if (phase === 'promoted' && reopened && reopened.at >= shardIntake(record, shard).since) return;
  // Lost requests of this run are already noted. Those of an earlier run are unknown.
  const isKnown = opening?.isSeen ?? (resumedIn !== undefined && resumedIn !== 'draining');
  const sent = withIntake(isKnown ? record : withPendingPause(record), shard, 'reopening', at);
  const noted = withDeployment(withoutStop(sent), noteOf(opening, { at, reopened }));
  // A phase before `promoted` stays as it is.
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

/** Restores the production tags under the record's fence alone: a hold must not prevent it. */
async function restoreRouting(context: StageContext, id: RegistrationId): Promise<void> {
  const { registry } = context.ports;
  const found = await registry.find(id);
  const routing = productionRouting(context);
  if (found.kind === 'absent' || hasRouting(found.value, routing)) return;
  await sendOpening(context, () => registry.route(id, routing));
}

async function unpauseRunner(context: StageContext, id: RegistrationId): Promise<ReopenResult> {
  const { ports } = context;
  return pollUntil<ReopenResult>(
    { clock: ports.clock, cadence: { pollMs: pauseMs } },
    async (polls) => {
      const found = await ports.registry.find(id);
      if (found.kind === 'absent') return done('closed');
      if (!found.value.paused) return done(polls === 1 ? 'was_open' : 'opened');
      if (polls > reopenChecks) return done('closed');
      if (polls % 3 === 1) await sendOpening(context, () => ports.registry.setIntake(id, 'open'));
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
    `Waiting: an earlier write may still take effect and pause ${shard} again (for ${formatDuration(landsWithinMs)} in total).`,
  );
  await pollUntil({ clock, cadence: { pollMs: landingPollMs } }, async () => {
    try {
      const found = await registry.find(id);
      if (found.kind === 'absent') return done(undefined);
      if (found.value.paused) {
        context.log.warn(
          `${capital(registration)} ${id} of ${shard} was ${paused} again by a delayed write; hosted-runner reopens it.`,
        );
        await unpauseRunner(context, id);
      }
    } catch (error) {
      // A failed read is retried at the next poll.
      if (!isPortFailure(error) || endsRun(error)) throw error;
    }
    return clock.elapsed() >= endsAt ? done(undefined) : pending();
  });
}

/** Checks the record again if the write had to wait. Reads back after a lost response. */
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
