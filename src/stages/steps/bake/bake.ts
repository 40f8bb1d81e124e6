import { isBaking } from '../../../domain/bake/bake-note.ts';
import type { Shard } from '../../../domain/shard.ts';
import { rollbackBlockedUntil } from '../../../errors/recovery-lines.ts';
import { isNoResponse } from '../../../ports/failure.ts';
import { type StageContext, warnOnce } from '../../context/context.ts';
import { allSettledOrThrow } from '../../context/parallel.ts';
import type { Rollback, StepResult } from '../../context/result.ts';
import type { BakeJudge, ServiceKeeper } from '../../context/run-memory.ts';
import { readHold } from '../../record/hold-parameter.ts';
import { keepService } from '../../service/service-keeper.ts';
import { endBeforeDeadline } from './bake-deadline.ts';
import { carriedOf, judgeOfRun } from './bake-judge.ts';
import { actOnVerdict, endBake, holdOrRollBack, isBakeSettled, warnOfVerdict } from './verdict.ts';

const unwatched = 'nobody watches it, as a person has said that no shard serves';

/**
 * The step, under the lock: one look of its own, and what the verdict leads to. Between two of them
 * nobody holds the lock, so that a person's command never queues behind a bake.
 */
export async function bake(context: StageContext, retiring: Shard): Promise<StepResult> {
  const { deployment } = context.journal.current();
  if (deployment.bake === undefined || !isBaking(deployment))
    return { kind: 'nothing', reason: 'its bake is over' };
  // What is dead finds itself bad or nothing: there is nothing to watch, and nothing to go back to.
  if (context.forceWhenNothingServes) {
    await endBake(context, { kind: 'inconclusive', reason: unwatched, reported: [] });
    return { kind: 'done' };
  }
  const judge = judgeOfRun(context, deployment.bake);
  const looked = await checkUnderLock(context, retiring, judge);
  if (looked.kind !== 'release_lock') return looked;
  // Under the lock, where a run that ends opens the old shard unless the other one serves right then.
  return endBeforeDeadline(context, deployment.bake, retiring, looked.reason) ?? looked;
}

async function checkUnderLock(
  context: StageContext,
  retiring: Shard,
  judge: BakeJudge,
): Promise<StepResult> {
  const watchOn = (reason: string) => ({ kind: 'release_lock', reason }) as const;
  const phaseOf = () => context.journal.current().deployment.phase;
  const begunIn = phaseOf();
  try {
    const lost = await keeperOfRun(context, retiring).look();
    if (lost !== undefined) return lost;
    judge.agreeOn(await sincePromotedByStore(context));
    const hold = await readHold(context.ports.parameters, context.names.hold);
    if (hold !== undefined) return watchOn(await checkUnderHold(context, judge, hold.who));
    const verdict = await judge.look(context, 'now');
    const led = await actOnVerdict(context, retiring, { judge, verdict });
    if (led === 'watched') return watchOn(verdict.reason);
    return led === 'over' ? { kind: 'done' } : led;
  } catch (error) {
    // Who is silent is asked again as long as there is something to watch, and nothing was begun.
    if (!isNoResponse(error) || judge.isOver() || phaseOf() !== begunIn) throw error;
    return watchOn(error.message);
  }
}

/** A hold suspends what a verdict leads to, and the canary: both are effects. It is watched on. */
async function checkUnderHold(
  context: StageContext,
  judge: BakeJudge,
  who: string,
): Promise<string> {
  const verdict = await judge.look(context);
  warnOfVerdict(context, verdict, rollbackBlockedUntil.byHold);
  return `${verdict.reason}; held by ${who}`;
}

/** What is not proven stays so from lock to lock. */
function keeperOfRun(context: StageContext, retiring: Shard): ServiceKeeper {
  const carried = carriedOf(context);
  carried.keeper ??= keepService(context, retiring);
  return carried.keeper;
}

/** While a drain closes the old shard, the promoted one is judged as well: a bad verdict ends the drain. */
export function bakeBeside(
  context: StageContext,
  drained: Shard,
): { look(): Promise<Rollback | undefined>; dueInMs(): number } {
  const { deployment } = context.journal.current();
  const { bake: note, retiring } = deployment;
  const isWatched = note !== undefined && retiring === drained && isBaking(deployment);
  if (!isWatched || context.forceWhenNothingServes)
    return { look: async () => undefined, dueInMs: () => Number.POSITIVE_INFINITY };
  const judge = judgeOfRun(context, note);
  return {
    dueInMs: () => judge.dueInMs(),
    async look() {
      if (judge.dueInMs() > 0) return undefined;
      const verdict = await judge.look(context);
      warnOfVerdict(context, verdict, rollbackBlockedUntil.byRun);
      if (verdict.kind !== 'unhealthy' || !isBakeSettled(context, judge, verdict)) return undefined;
      const hold = await readHold(context.ports.parameters, context.names.hold);
      // The first effect would wait for its end and give up, and nobody would watch any more.
      if (hold === undefined) return holdOrRollBack(context, retiring, { judge, verdict });
      warnOnce(
        context,
        `What becomes of ${deployment.candidate} waits: the stack is held by ${hold.who}. It is watched on.`,
      );
      return undefined;
    },
  };
}

/**
 * Milliseconds since the new shard was made active, by the clock of Parameter Store alone: from the write
 * of the status to that of our lock, and from there by ours that never jumps. Undefined where it cannot
 * be had: then the record's own time is all that there is.
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
