import { isWatched } from '../../domain/bake/bake-note.ts';
import { latencyOf } from '../../domain/bake/latency.ts';
import type { DeploymentRecord } from '../../domain/deployment/record.ts';
import { formatDuration } from '../../domain/text/duration.ts';
import { rollbackBlockedUntil } from '../../errors/recovery-lines.ts';
import { endsRun, isPortFailure } from '../../ports/failure.ts';
import { done, pending, pollUntil } from '../../ports/poll.ts';
import { isNews, type StageContext } from '../context/context.ts';
import { deadlineOf } from '../effects/deadline.ts';
import { judgeUninvolvedPipeline } from '../effects/deployment-authority.ts';
import { watchService } from '../observe/shard/service-watch.ts';
import { readHold } from '../record/hold-parameter.ts';
import { confirmBadResult } from '../service/service-proof.ts';
import { isDeadlineNear } from '../steps/bake/bake-deadline.ts';
import { carriedOf, judgeOfRun } from '../steps/bake/bake-judge.ts';
import { isBakeSettled, warnOfVerdict } from '../steps/bake/verdict.ts';

/** Minimum time between two holds of the lock. */
const restMs = 5000;
/** Minimum time between two proofs, because a proof needs the lock and a canary. */
const proofEveryMs = 300_000;

/**
 * Polls a promoted shard without the lock and without writes, until work under the lock is needed.
 * Such work is a verdict, a canary, a shard that no longer accepts jobs, a foreign write of the
 * record, or the end of this job.
 * @returns the record at the beginning of the polling; undefined if there was nothing to poll
 */
export async function pollBakeWithoutLock(
  context: StageContext,
): Promise<DeploymentRecord | undefined> {
  const { journal, ports, settings, memory } = context;
  const { clock } = ports;
  const record = await journal.read();
  const { bake } = record?.deployment ?? {};
  if (record === undefined || bake === undefined || !isWatched(record.deployment)) return undefined;
  // A pipeline without rights under the lock sends no requests without the lock either.
  if (judgeUninvolvedPipeline(context, record) !== undefined) return undefined;
  const version = journal.version();
  const judge = judgeOfRun(context, bake);
  const latency = logLatency(context, record);
  if (isNews(context, latency)) context.log.act(latency);
  const service = watchBeside(context, record);
  const wait = { clock, cadence: { pollMs: settings.bake.pollMs } };
  const { candidate } = record.deployment;
  const checkOnce = async () => {
    await journal.read();
    if (journal.version() !== version) return done(true);
    if (await service.isLost()) return done(true);
    const verdict = await judge.check(context);
    const hold = await readHold(ports.parameters, context.names.hold);
    warnOfVerdict(context, verdict, hold === undefined ? undefined : rollbackBlockedUntil.byHold);
    // After a release of the lock, other runs get time to take it.
    const isRested = clock.elapsed() - (memory.letGoAt ?? Number.NEGATIVE_INFINITY) >= restMs;
    const needsLock = verdict.kind === 'watching' && verdict.needs !== undefined;
    if (hold === undefined && isRested && (needsLock || isBakeSettled(context, judge, verdict)))
      return done(true);
    if (isDeadlineNear(context)) return done(true);
    const reason =
      hold === undefined ? verdict.reason : `${verdict.reason}; on hold by ${hold.who}`;
    context.log.wait(`Waiting for the bake of ${candidate}: ${reason}.`);
    const inMs = Math.max(1000, Math.min(judge.dueInMs(), service.dueInMs()));
    return pending({ kind: 'after', againInMs: inMs });
  };
  await pollUntil(wait, async () => {
    try {
      return await checkOnce();
    } catch (error) {
      // No work is due: an unresponsive system is queried again, and at the end under the lock.
      if (!isPortFailure(error) || endsRun(error)) throw error;
      if (isDeadlineNear(context) || judge.isOver()) return done(true);
      context.log.wait(`Waiting for the bake of ${candidate}: ${error.message}.`);
      return pending({ kind: 'after', againInMs: settings.bake.pollMs });
    }
  });
  return record;
}

/** Describes how soon a problem is detected from now on, and without any polling. */
function logLatency(context: StageContext, { deployment }: DeploymentRecord): string {
  const { run, settings } = context;
  const { faultsMs, signalsMs, waitingMs } = latencyOf(settings.bake);
  const waiting =
    waitingMs === undefined
      ? ''
      : `, jobs that wait while none starts within ${formatDuration(waitingMs)}`;
  const found = `too many failures of its jobs are found within ${formatDuration(faultsMs)}, a bad signal within ${formatDuration(signalsMs)}${waiting}`;
  const deadline = deadlineOf(context);
  const next =
    run.ci === 'terminal'
      ? 'the checks stop until you run it again'
      : 'its retry or the schedule continues the checks';
  const ends = deadline === undefined ? '' : ` at ${new Date(deadline).toISOString()}`;
  const what = run.ci === 'terminal' ? 'this command' : 'this job';
  return `Checking ${deployment.candidate} during the bake: ${found}. When ${what} ends${ends}, ${next}.`;
}

/** Watches the new shard while the old one is paused: no other run may be checking it. */
function watchBeside(context: StageContext, { deployment }: DeploymentRecord) {
  const { ports, settings } = context;
  const carried = carriedOf(context);
  const { clock } = ports;
  const watch = watchService(context, deployment.candidate);
  let checkedAt = clock.elapsed();
  const { servicePollMs } = settings.drain;
  return {
    dueInMs: () => Math.max(0, checkedAt + servicePollMs - clock.elapsed()),
    /** Returns whether the keeper, which may reopen the old shard, must check. */
    async isLost(): Promise<boolean> {
      if (clock.elapsed() - checkedAt < servicePollMs) return false;
      checkedAt = clock.elapsed();
      const service = await confirmBadResult(context, () => watch.check());
      if (service.kind === 'proven') {
        // Clears a missing proof from an earlier lock: the shard is verified now.
        carried.keeper?.resetUnprovenTimer();
        return false;
      }
      if (service.kind !== 'unknown') return true;
      const { proofRequestedAt = Number.NEGATIVE_INFINITY } = carried;
      if (clock.elapsed() - proofRequestedAt < proofEveryMs) return false;
      carried.proofRequestedAt = clock.elapsed();
      return true;
    },
  };
}
