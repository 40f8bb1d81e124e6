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
 * A person who opens what our drain has closed wants it open. Returns the registration, if it was read.
 * @param closedBy who of this run has closed it: what a retreat closes is not noted
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
  // What a person has made is opened by us at the end of its removal, to be theirs again.
  if (phase === 'destroying' && routingBefore !== undefined) return undefined;
  const { isLasting, shown } = await confirmRead(context, registration, ({ paused }) => !paused);
  if (isLasting) throw await warnOfOpened(context, shard, mayHaveStopped(context, shard, closedBy));
  return shown;
}

/**
 * Whether a person has closed a shard whose drain begins, or a candidate whose retreat does. As long as a
 * closing of ours is in the record, or an earlier drain's pause of what was gone back to has no answer, a
 * pause of ours may still have landed.
 */
export async function findPause(
  context: StageContext,
  shard: Shard,
): Promise<{
  readonly wasPausedByOperator: boolean;
  /** The registration, if it was read and takes jobs. */
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

/** What nobody can tell is held as ours: customers are served then, whoever it was. */
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
    `${capital(registration)} ${id} of ${shard} is ${paused} before its ${isRetiring ? 'drain' : 'removal'}: ${doubt}. It is opened again should ${other} stop serving.`,
  );
}

/** A run that was cut off after its note that it drains: its pause may land after one of this run. */
export async function notePauseUnconfirmed(context: StageContext, shard: Shard): Promise<void> {
  const { journal } = context;
  const record = journal.current();
  const { registration } = shardEntry(record, shard);
  if (!mayPauseBePending(record) || registration === undefined) return;
  const found = await findRegistration(context, registration);
  // One that is closed has landed.
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

/** At the look that finds it gone: until then nobody else has said so. */
export function warnOfDeletedRunner(context: StageContext, shard: Shard): void {
  const { registration } = shardEntry(context.journal.current(), shard);
  if (registration === undefined) return;
  warnOnce(
    context,
    `${capital(wordsOf(context).registration)} ${registration} of ${shard} was deleted by somebody else; its jobs are looked for on its hosts.`,
  );
}

/** Before the pause: a run that dies after it has closed it, whoever had closed it before. */
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

/** Only once the pause was seen: what is noted here nobody else opens unnoticed. */
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

/** An activation keeps what is open, as long as a process of it may run. */
async function whyNotActivated(
  context: StageContext,
  shard: Shard,
  id: RegistrationId,
): Promise<string | undefined> {
  return whyEnded(context, { id, shard, service: await checkServiceOnce(context, shard) });
}

/** A retreat stops nothing before its drain is over, and only the run that has begun it knows of no other. */
function mayHaveStopped(context: StageContext, shard: Shard, closedBy?: string): boolean {
  const { journal, memory } = context;
  const { deployment } = journal.current();
  if (retreatingCandidate(context) === shard)
    return closedBy !== 'drain' || memory.resumedIn === 'retreating';
  return !isReturnable(deployment.phase) || mayBeStopped(deployment);
}
