import { shardEntry } from '../../domain/deployment/record.ts';
import { isReturnable } from '../../domain/deployment/stages-and-steps.ts';
import {
  describeLatePause,
  describePauseDoubt,
  type IntakeEvent,
  isPausedByOperator,
  isPausedByUs,
  mayBeStopped,
  mayPauseBePending,
  pausedSince,
  withIntake,
  withPendingPause,
} from '../../domain/drain/shard-intake.ts';
import { otherShard, type RegistrationId, type Shard } from '../../domain/shard.ts';
import { capital } from '../../domain/text/capital.ts';
import { openedByOther } from '../../errors/service-errors.ts';
import type { Registration } from '../../ports/registry.ts';
import { type StageContext, timestamp, warnOnce, wordsOf } from '../context/context.ts';
import type { Proof } from '../effects/effect-gate.ts';
import { retreatingCandidate } from '../effects/reopen.ts';
import { ensureIntake } from '../effects/routing.ts';
import { confirmRead } from '../observe/confirm-read.ts';
import { findRegistration } from '../observe/observe.ts';
import { checkServiceOnce, whyEnded } from '../observe/shard/service-watch.ts';
import { requireOwnRegistration } from './registration-ownership.ts';
import { findRollbackTarget } from './rollback-target.ts';

/**
 * Rejects if an operator has reopened a paused shard. Returns the runner, if it was read.
 * @param closedBy step of this run that paused the shard; the pause of a retreat is not noted
 */
export async function requireStillPaused(
  context: StageContext,
  shard: Shard,
  closedBy?: 'drain' | 'removal',
): Promise<Registration | undefined> {
  const { journal } = context;
  const { phase, retiring } = journal.current().deployment;
  const isByDrain = retiring === shard && pausedSince(journal.current()) !== undefined;
  const isByRetreat = closedBy !== undefined && retreatingCandidate(context) === shard;
  if (!(isByDrain || isByRetreat) || phase === 'promoted') return undefined;
  const { registration, routingBefore } = shardEntry(journal.current(), shard);
  if (registration === undefined) return undefined;
  // At the end of its removal, hosted-runner itself unpauses a runner that an operator created.
  if (phase === 'destroying' && routingBefore !== undefined) return undefined;
  const { isLasting, shown } = await confirmRead(context, registration, ({ paused }) => !paused);
  if (isLasting) throw await warnOfOpened(context, shard, mayHaveStopped(context, shard, closedBy));
  return shown;
}

/**
 * Finds out whether an operator paused the shard before its drain or retreat. A pause noted in the
 * record, or an unanswered pause of an earlier drain, may still be the cause. It then counts as a
 * pause of hosted-runner.
 */
export async function findPause(
  context: StageContext,
  shard: Shard,
): Promise<{
  readonly wasPausedByOperator: boolean;
  /** The runner, if it was read and is unpaused. */
  readonly open?: Registration | undefined;
}> {
  const record = context.journal.current();
  const { registration } = shardEntry(record, shard);
  if (registration === undefined) return { wasPausedByOperator: false };
  if (isPausedByUs(record, shard)) {
    await warnOfDoubt(context, shard, registration);
    return { wasPausedByOperator: false };
  }
  const { isLasting, shown } = await confirmRead(context, registration, ({ paused }) => paused);
  return { wasPausedByOperator: isLasting, open: shown?.paused === false ? shown : undefined };
}

/**
 * Warns that the origin of a pause is unknown. It counts as hosted-runner's, because the shard can
 * then be reopened for customers.
 */
async function warnOfDoubt(
  { journal, log, ...context }: StageContext,
  shard: Shard,
  id: RegistrationId,
): Promise<void> {
  const record = journal.current();
  const isRetiring = record.deployment.retiring === shard;
  const doubt = isRetiring ? describePauseDoubt(record) : describeLatePause('of its drain');
  const found = doubt === undefined ? undefined : await findRegistration(context, id);
  if (found === undefined || !found.paused) return;
  const { registration, paused } = wordsOf(context);
  const other = otherShard(context.settings.shards, shard);
  log.warn(
    `${capital(registration)} ${id} of ${shard} was already ${paused} before its ${isRetiring ? 'drain' : 'removal'}, ${doubt}. hosted-runner reopens it if ${other} stops accepting jobs.`,
  );
}

/** Notes that an interrupted run's pause may still take effect after this run's reopening. */
export async function notePauseUnconfirmed(context: StageContext, shard: Shard): Promise<void> {
  const { journal } = context;
  const record = journal.current();
  const { registration } = shardEntry(record, shard);
  if (!mayPauseBePending(record) || registration === undefined) return;
  const found = await findRegistration(context, registration);
  // If the runner is paused, the pause has taken effect.
  if (found !== undefined && !found.paused)
    await journal.write(withPendingPause(journal.current()));
}

export async function pauseIntake(
  context: StageContext,
  shard: Shard,
  { proof, seen }: { proof?: Proof | undefined; seen?: Registration | undefined } = {},
): Promise<void> {
  const { registration } = shardEntry(context.journal.current(), shard);
  if (registration === undefined) return;
  const found =
    seen === undefined
      ? await context.ports.registry.find(registration)
      : ({ kind: 'found', value: seen } as const);
  if (found.kind === 'absent') return warnOfDeletedRunner(context, shard);
  await requireOwnRegistration(context, shard, found.value);
  if (!found.value.paused) await claimPause(context, shard);
  const lost = () => noteUnanswered(context, shard);
  const shown = found.value;
  await ensureIntake(context, { shard, id: registration, intake: 'closed', proof, lost, shown });
}

/** Reports a deleted runner once, when a check first finds it absent. */
export function warnOfDeletedRunner(context: StageContext, shard: Shard): void {
  const { registration } = shardEntry(context.journal.current(), shard);
  if (registration === undefined) return;
  warnOnce(
    context,
    `${capital(wordsOf(context).registration)} ${registration} of ${shard} was deleted outside hosted-runner; its hosts are checked for jobs.`,
  );
}

/**
 * Notes before the pause that hosted-runner pauses the shard, even if an operator had paused it
 * earlier. A later run can then reopen it.
 */
async function claimPause(context: StageContext, shard: Shard): Promise<void> {
  if (isPausedByOperator(context.journal.current(), shard))
    await noteIntake(context, shard, 'claim');
}

async function noteIntake(context: StageContext, shard: Shard, event: IntakeEvent): Promise<void> {
  const { journal } = context;
  const record = journal.current();
  const noted = withIntake(record, shard, event, timestamp(context));
  if (noted !== record) await journal.write(noted);
}

/** Notes the pause after a read has confirmed it; a foreign reopening is then detected. */
export async function notePaused(context: StageContext, shard: Shard): Promise<void> {
  const record = context.journal.current();
  if (record.deployment.retiring === shard && pausedSince(record) === undefined)
    await noteIntake(context, shard, 'confirmed_pause');
}

async function noteUnanswered(context: StageContext, shard: Shard): Promise<void> {
  if (context.journal.current().deployment.retiring === shard)
    await noteIntake(context, shard, 'unanswered_pause');
}

async function warnOfOpened(context: StageContext, shard: Shard, isStopped: boolean) {
  const { settings, stage, journal } = context;
  const registration = shardEntry(journal.current(), shard).registration as RegistrationId;
  return openedByOther({
    runner: settings.runnerName,
    stage,
    shard,
    registration,
    words: wordsOf(context),
    back: await findRollbackTarget(context, shard),
    isStopped,
    pausedByOther: isPausedByOperator(journal.current(), shard),
    ...(retreatingCandidate(context) === shard && {
      retreat: { refused: await whyNotActivated(context, shard, registration) },
    }),
  });
}

/** Explains why an activation cannot keep the reopened shard: it needs a process. */
async function whyNotActivated(
  context: StageContext,
  shard: Shard,
  id: RegistrationId,
): Promise<string | undefined> {
  return whyEnded(context, { id, shard, service: await checkServiceOnce(context, shard) });
}

/**
 * Decides whether a process may already have been stopped. A retreat stops none before its drain
 * ends, but only the run that began the retreat knows that no other run drained it.
 */
function mayHaveStopped(context: StageContext, shard: Shard, closedBy?: string): boolean {
  const { journal, memory } = context;
  const { deployment } = journal.current();
  if (retreatingCandidate(context) === shard)
    return closedBy !== 'drain' || memory.resumedIn === 'retreating';
  return !isReturnable(deployment.phase) || mayBeStopped(deployment);
}
