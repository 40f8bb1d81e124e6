import { isBaking } from '../../../domain/bake/bake-note.ts';
import type { Shard } from '../../../domain/shard.ts';
import { rollbackBlockedUntil } from '../../../errors/recovery-lines.ts';
import { isNoResponse } from '../../../ports/failure.ts';
import { type StageContext, warnOnce } from '../../context/context.ts';
import { allSettledOrThrow } from '../../context/parallel.ts';
import type { Rollback, StepResult } from '../../context/result.ts';
import type { BakeEvaluator, ServiceKeeper } from '../../context/run-memory.ts';
import { readHold } from '../../record/hold-parameter.ts';
import { keepService } from '../../service/service-keeper.ts';
import { endBeforeDeadline } from './bake-deadline.ts';
import { carriedOf, judgeOfRun } from './bake-judge.ts';
import { actOnVerdict, endBake, holdOrRollBack, isBakeSettled, warnOfVerdict } from './verdict.ts';

const unwatched = 'it is not checked, because an operator confirmed that no shard accepts jobs';

/**
 * Checks once under the lock and acts on the verdict. No run holds the lock between two checks, so
 * an operator's command never waits for a bake.
 */
export async function bake(context: StageContext, retiring: Shard): Promise<StepResult> {
  const { deployment } = context.journal.current();
  if (deployment.bake === undefined || !isBaking(deployment))
    return { kind: 'nothing', reason: 'the bake has ended' };
  // If no shard can accept jobs, there is nothing to check and no rollback target.
  if (context.forceWhenNoneAccepts) {
    await endBake(context, { kind: 'inconclusive', reason: unwatched, reported: [] });
    return { kind: 'done' };
  }
  const judge = judgeOfRun(context, deployment.bake);
  const result = await checkUnderLock(context, retiring, judge);
  if (result.kind !== 'release_lock') return result;
  // Under the lock: a run that ends reopens the old shard unless the other shard is verified.
  return endBeforeDeadline(context, deployment.bake, retiring, result.reason) ?? result;
}

async function checkUnderLock(
  context: StageContext,
  retiring: Shard,
  judge: BakeEvaluator,
): Promise<StepResult> {
  const watchOn = (reason: string) => ({ kind: 'release_lock', reason }) as const;
  const phaseOf = () => context.journal.current().deployment.phase;
  const begunIn = phaseOf();
  try {
    const lost = await keeperOfRun(context, retiring).check();
    if (lost !== undefined) return lost;
    judge.agreeOn(await sincePromotedByStore(context));
    const hold = await readHold(context.ports.parameters, context.names.hold);
    if (hold !== undefined) return watchOn(await checkUnderHold(context, judge, hold.who));
    const verdict = await judge.check(context, 'now');
    const led = await actOnVerdict(context, retiring, { judge, verdict });
    if (led === 'watched') return watchOn(verdict.reason);
    return led === 'over' ? { kind: 'done' } : led;
  } catch (error) {
    // A check without a response is repeated while the bake lasts and no effect has begun.
    if (!isNoResponse(error) || judge.isOver() || phaseOf() !== begunIn) throw error;
    return watchOn(error.message);
  }
}

/** Checks under a hold, which suspends a verdict's consequences and the canary, both effects. */
async function checkUnderHold(
  context: StageContext,
  judge: BakeEvaluator,
  who: string,
): Promise<string> {
  const verdict = await judge.check(context);
  warnOfVerdict(context, verdict, rollbackBlockedUntil.byHold);
  return `${verdict.reason}; on hold by ${who}`;
}

/** Returns the keeper of this run. Its timer for a missing proof continues from lock to lock. */
function keeperOfRun(context: StageContext, retiring: Shard): ServiceKeeper {
  const carried = carriedOf(context);
  carried.keeper ??= keepService(context, retiring);
  return carried.keeper;
}

/** Checks the promoted shard while a drain pauses the old shard. A bad verdict ends the drain. */
export function bakeBeside(
  context: StageContext,
  drained: Shard,
): { check(): Promise<Rollback | undefined>; dueInMs(): number } {
  const { deployment } = context.journal.current();
  const { bake: note, retiring } = deployment;
  const isWatched = note !== undefined && retiring === drained && isBaking(deployment);
  if (!isWatched || context.forceWhenNoneAccepts)
    return { check: async () => undefined, dueInMs: () => Number.POSITIVE_INFINITY };
  const judge = judgeOfRun(context, note);
  return {
    dueInMs: () => judge.dueInMs(),
    async check() {
      if (judge.dueInMs() > 0) return undefined;
      const verdict = await judge.check(context);
      warnOfVerdict(context, verdict, rollbackBlockedUntil.byRun);
      if (verdict.kind !== 'unhealthy' || !isBakeSettled(context, judge, verdict)) return undefined;
      const hold = await readHold(context.ports.parameters, context.names.hold);
      // Under a hold, the rollback's first effect would fail and end the run, and no run would
      // check the shards.
      if (hold === undefined) return holdOrRollBack(context, retiring, { judge, verdict });
      warnOnce(
        context,
        `${deployment.candidate} stays in its bake: ${hold.who} holds the stack. The checks continue.`,
      );
      return undefined;
    },
  };
}

/**
 * Returns the milliseconds since the new shard became active, independent of other machines'
 * clocks. Parameter Store's clock covers the time from the write of the status to that of this
 * run's lock, and the monotonic clock covers the rest. Undefined if unavailable: then only the
 * record's time is known.
 */
async function sincePromotedByStore({
  ports,
  names,
  memory: { lockedAt },
}: StageContext): Promise<number | undefined> {
  if (lockedAt === undefined) return undefined;
  const { parameters, clock } = ports;
  const [status, lock] = await allSettledOrThrow(
    () => parameters.find(names.status),
    () => parameters.find(names.lock),
  );
  if (status === undefined || lock === undefined) return undefined;
  const untilLockMs = Date.parse(lock.modifiedAt) - Date.parse(status.modifiedAt);
  return untilLockMs + clock.elapsed() - lockedAt;
}
