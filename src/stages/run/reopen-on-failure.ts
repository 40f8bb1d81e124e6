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

/** After a cancel GitHub kills within ten seconds: what nobody has said by then is not known. */
const answeredWithinMs = 2500;

/** What has seen to the old shard already, and what a person has done to it. */
const settled: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  ...ownerLost,
  'ServiceLost',
  'OpenedByOther',
  'TakenBack',
]);

/**
 * A run that ends unfinished, by an error, its time or a cancel, leaves what its drain has closed open
 * unless the other shard is proven to serve right then: nobody looks from now on. Of a cancel it is the
 * one effect that is begun after it.
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
    // The first error is the one that ends the run.
    context.log.warn(`${capital(drained)} was left as it is: ${reasonOf(second)}.`);
  }
  return error;
}

/** Only this run knows for sure that it has opened it: whoever comes next would open it once more. */
async function notePauses(context: StageContext, error: unknown): Promise<void> {
  const { journal, log, forceWhenNothingServes } = context;
  if (isSettled(error) || forceWhenNothingServes || journal.version() === 0) return;
  const shard = rollbackTarget(context);
  if (shard === undefined) return;
  try {
    await noteOperatorPause(context, shard);
  } catch (second) {
    // The first error is the one that ends the run.
    log.warn(`Whether somebody has closed ${shard} was not found out: ${reasonOf(second)}.`);
  }
}

/** What was seen of it before tells with one more look; otherwise as long as a proof by looks takes. */
async function checkOnce(context: StageContext, drained: Shard): Promise<Service> {
  const watch = watchOfRun(context, otherShard(context.settings.shards, drained));
  return watch.checkedAt() !== undefined ? watch.look() : checkUntilCountsGrow(context, watch);
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
    if (left === 'closed')
      return cancelledPaused({ ...facts, why: 'it could not be opened again' });
    const { kind, reopened } = uncancelable.journal.current().deployment;
    const opened = { opened: left === 'opened', times: reopened?.times ?? 0 };
    return cancelledOpened({ ...facts, other, service, kind, ...opened });
  } catch (second) {
    return cancelledPaused({ ...facts, why: `it could not be opened again: ${reasonOf(second)}` });
  }
}

/** Whatever it is, our own mistake as well: it is said beside the first error, never instead of it. */
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
    withTimeout(watch.look(context), { ...limit, late: () => unsaid }),
    withTimeout<readonly HostReading[] | undefined>(listHostReadings(context, drained), {
      ...limit,
      late: () => undefined,
    }),
  ]);
}

const unsaid = unansweredService('nobody said in time whether it serves');

function findPaused(context: StageContext, error: unknown): Shard | undefined {
  const { journal, forceWhenNothingServes } = context;
  if (isSettled(error) || forceWhenNothingServes || journal.version() === 0) return undefined;
  const { retiring, phase } = journal.current().deployment;
  if (retiring === undefined || phase === 'destroying' || !isOwnPauseNoted(context, retiring))
    return undefined;
  return shardEntry(journal.current(), retiring).registration === undefined ? undefined : retiring;
}

/** What refuses a rollback in its midst forbids no opening of what it goes back to. */
const refusing: ReadonlySet<ErrorCode> = new Set(['Held', 'FactsContradict']);

function findReturning(context: StageContext, error: unknown): Shard | undefined {
  const isRefused = isDeployError(error) && refusing.has(error.code);
  return isRefused && context.journal.version() > 0 ? rollbackTarget(context) : undefined;
}

/**
 * A shard whose processes have ended serves nobody, open or not. Since it is drained they may have been
 * stopped, so that silence is no sign of them; where no host may be asked nobody stops any.
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
  const say = `Left ${drained} closed, as ${other} serves. While nobody runs nobody looks: ${checkingActor(drained, other)}. To look again`;
  return lineOf({ say, command: 'finalize', runner: settings.runnerName }, typed);
}

function describeUnattended(drained: Shard, other: Shard): string {
  return `${other} serves; ${checkingActor(drained, other)}`;
}

/** Whether something runs it again and how often is written in a CI that nobody here has read. */
function checkingActor(drained: Shard, other: Shard): string {
  return `should ${other} stop, the next run of finalize opens ${drained}, and no schedule of one is known here`;
}
