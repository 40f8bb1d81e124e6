import { shardEntry } from '../../domain/deployment/record.ts';
import type { HostReading } from '../../domain/drain/drain-check.ts';
import { mayBeStopped } from '../../domain/drain/shard-intake.ts';
import type { ErrorCode } from '../../domain/error-codes.ts';
import { type Service, unansweredService } from '../../domain/health/service-verdict.ts';
import { otherShard, type Shard } from '../../domain/shard.ts';
import { capital } from '../../domain/text/capital.ts';
import { type DeployError, isDeployError } from '../../errors/deploy-error.ts';
import { lineOf } from '../../errors/fix-line.ts';
import { cancelledOpened, cancelledPaused } from '../../errors/service-errors.ts';
import { againOf, type StageContext, toUncancelable } from '../context/context.ts';
import { ownerLost } from '../context/deployment-owner.ts';
import type { ServiceWatch } from '../context/run-memory.ts';
import { withTimeout } from '../context/timeout.ts';
import { hasOwnPause, isOwnPauseNoted, reopenIntake } from '../effects/reopen.ts';
import { noteOperatorPause, rollbackTarget } from '../effects/rollback-in-progress.ts';
import { listHostReadings } from '../observe/drain-observation.ts';
import { watchOfRun } from '../observe/shard/service-watch.ts';
import { checkUntilCountsGrow } from '../service/service-proof.ts';

/** GitHub kills a job within ten seconds of a cancel. Without a response, the state is unknown. */
const answeredWithinMs = 2500;

/** Errors after which the old shard was already handled, or was changed by an operator. */
const settled: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  ...ownerLost,
  'ServiceLost',
  'OpenedByOther',
  'TakenBack',
]);

/**
 * Runs the body. If it ends unfinished, by an error, by its time limit or by a cancel, reopens a
 * shard that the drain paused, unless the other shard is verified right then. No run checks the
 * shards from then on. After a cancel, this is the only effect that still begins.
 */
export async function withReopenOnFailure<Result>(
  context: StageContext,
  body: () => Promise<Result>,
): Promise<Result> {
  try {
    return await body();
  } catch (error) {
    throw isCancel(error)
      ? await leaveAfterCancel(context, error)
      : await leaveAfterError(context, error);
  }
}

async function leaveAfterError(context: StageContext, error: unknown): Promise<unknown> {
  await notePauses(context, error);
  const drained = findPaused(context, error) ?? findReturning(context, error);
  if (drained === undefined) return error;
  try {
    const words = await listHostReadings(context, drained);
    if (!mayRun(context, words)) return error;
    const service = await checkOnce(context, drained);
    if (service.kind !== 'proven')
      await reopenIntake(context, drained, service, { words, isEnding: true });
    else if (await hasOwnPause(context, drained)) context.log.act(formatPaused(context, drained));
  } catch (second) {
    if (isCancel(second)) return leaveAfterCancel(context, second);
    // The first error ends the run.
    context.log.warn(`Left ${drained} unchanged: ${reasonOf(second)}.`);
  }
  return error;
}

/**
 * Notes an operator's pause after a rollback's reopening. Only this run knows of the reopening; the
 * next run would reopen the shard again.
 */
async function notePauses(context: StageContext, error: unknown): Promise<void> {
  const { journal, log, forceWhenNoneAccepts } = context;
  if (isSettled(error) || forceWhenNoneAccepts || journal.version() === 0) return;
  const shard = rollbackTarget(context);
  if (shard === undefined) return;
  try {
    await noteOperatorPause(context, shard);
  } catch (second) {
    // The first error ends the run.
    log.warn(
      `Could not check whether ${shard} was paused outside hosted-runner: ${reasonOf(second)}.`,
    );
  }
}

/**
 * Checks the other shard. Earlier counters make one check sufficient; otherwise the check waits
 * until counters grow.
 */
async function checkOnce(context: StageContext, drained: Shard): Promise<Service> {
  const watch = watchOfRun(context, otherShard(context.settings.shards, drained));
  return watch.checkedAt() !== undefined ? watch.check() : checkUntilCountsGrow(context, watch);
}

async function leaveAfterCancel(context: StageContext, error: DeployError): Promise<DeployError> {
  const uncancelable = toUncancelable(context);
  const drained = findPaused(context, error);
  if (drained === undefined) return error;
  const { settings, stage } = uncancelable;
  const facts = { runner: settings.runnerName, stage, again: againOf(uncancelable), drained };
  const other = otherShard(settings.shards, drained);
  try {
    const watch = watchOfRun(context, other);
    const [service, words] = await checkInTime(uncancelable, { drained, watch });
    context.memory.serviceForNowLine.set(other, service);
    if (!mayRun(uncancelable, words)) return error;
    if (service.kind === 'proven')
      return cancelledPaused({ ...facts, why: describeUnattended(drained, other) });
    const left = await reopenIntake(uncancelable, drained, service, {
      words: words ?? [],
      isCut: true,
    });
    if (left === 'closed') return cancelledPaused({ ...facts, why: 'it could not be reopened' });
    const { kind, reopened } = uncancelable.journal.current().deployment;
    const opened = { opened: left === 'opened', times: reopened?.times ?? 0 };
    return cancelledOpened({ ...facts, other, service, kind, ...opened });
  } catch (second) {
    return cancelledPaused({ ...facts, why: `it could not be reopened: ${reasonOf(second)}` });
  }
}

/** Formats any error, even an internal one, for a warning beside the first error. */
function reasonOf(error: unknown): string {
  const text = isDeployError(error)
    ? error.fields.what
    : String((error as Error)?.message ?? error);
  return text.replace(/\.$/, '');
}

async function checkInTime(
  context: StageContext,
  { drained, watch }: { drained: Shard; watch: ServiceWatch },
): Promise<readonly [Service, readonly HostReading[] | undefined]> {
  const limit = { clock: context.ports.clock, limitMs: answeredWithinMs };
  return Promise.all([
    withTimeout(watch.check(context), { ...limit, late: () => unsaid }),
    withTimeout<readonly HostReading[] | undefined>(listHostReadings(context, drained), {
      ...limit,
      late: () => undefined,
    }),
  ]);
}

const unsaid = unansweredService('the check whether it accepts jobs timed out');

function findPaused(context: StageContext, error: unknown): Shard | undefined {
  const { journal, forceWhenNoneAccepts } = context;
  if (isSettled(error) || forceWhenNoneAccepts || journal.version() === 0) return undefined;
  const { retiring, phase } = journal.current().deployment;
  if (retiring === undefined || phase === 'destroying' || !isOwnPauseNoted(context, retiring))
    return undefined;
  return shardEntry(journal.current(), retiring).registration === undefined ? undefined : retiring;
}

/** Errors that stop a rollback in progress but allow its target to be reopened. */
const refusing: ReadonlySet<ErrorCode> = new Set(['Held', 'FactsContradict']);

function findReturning(context: StageContext, error: unknown): Shard | undefined {
  const isRefused = isDeployError(error) && refusing.has(error.code);
  return isRefused && context.journal.version() > 0 ? rollbackTarget(context) : undefined;
}

/**
 * Decides whether a process of the shard may still run; without one, reopening has no effect. After
 * the drain, the processes may have been stopped, so a missing response does not count as a
 * process. Without host access, hosted-runner stops no process.
 */
function mayRun({ journal }: StageContext, words: readonly HostReading[] | undefined): boolean {
  const isDrained = mayBeStopped(journal.current().deployment);
  if (words === undefined || words.length === 0) return !isDrained || words !== undefined;
  return isDrained
    ? words.some(({ kind }) => kind === 'jobs')
    : words.some(({ kind }) => kind !== 'stopped');
}

function isSettled(error: unknown): boolean {
  return isDeployError(error) && settled.has(error.code);
}

function isCancel(error: unknown): error is DeployError {
  return isDeployError(error) && error.code === 'Cancelled';
}

function formatPaused({ settings, typed }: StageContext, drained: Shard): string {
  const other = otherShard(settings.shards, drained);
  const text = `Left ${drained} paused, because ${other} accepts jobs. hosted-runner does not check ${other} between runs: ${checkingActor(drained, other)}. To check again`;
  return lineOf({ text, command: 'finalize', runner: settings.runnerName }, typed);
}

function describeUnattended(drained: Shard, other: Shard): string {
  return `${other} accepts jobs. ${capital(checkingActor(drained, other))}`;
}

/** States that no schedule is known, because the CI's schedules were not read. */
function checkingActor(drained: Shard, other: Shard): string {
  return `if ${other} stops accepting jobs, the next run of finalize reopens ${drained}, but hosted-runner knows of no schedule for finalize`;
}
