import { withBakeEnd } from '../../../domain/bake/bake-note.ts';
import type { BakeVerdict } from '../../../domain/bake/judge-bake.ts';
import { withPhase } from '../../../domain/deployment/record.ts';
import { isPausedByOperator } from '../../../domain/drain/shard-intake.ts';
import type { Shard } from '../../../domain/shard.ts';
import { bakeHeld } from '../../../errors/bake-errors.ts';
import { lineOf } from '../../../errors/fix-line.ts';
import { rollbackLine } from '../../../errors/recovery-lines.ts';
import { isNews, type StageContext, timestamp, warnOnce } from '../../context/context.ts';
import type { Rollback } from '../../context/result.ts';
import type { BakeJudge } from '../../context/run-memory.ts';
import { gate } from '../../effects/effect-gate.ts';
import { setHold } from '../../effects/set-hold.ts';
import { requireStillPaused } from '../../service/intake.ts';
import { findRollbackProcess } from '../../service/rollback-decision.ts';

type Verdict = Exclude<BakeVerdict, { kind: 'watching' }>;

function isOnlyReported({ bake: { onUnhealthy } }: StageContext['settings']): boolean {
  return onUnhealthy === 'report' || onUnhealthy === 'off';
}

/** Whether a verdict leads to anything by now: one that is only reported is watched to its end. */
export function isBakeSettled(
  { settings }: StageContext,
  judge: BakeJudge,
  verdict: BakeVerdict,
): verdict is Verdict {
  if (verdict.kind === 'watching') return false;
  const { onUnhealthy } = settings.bake;
  if (verdict.kind !== 'unhealthy') return true;
  if (isOnlyReported(settings)) return judge.isWatched();
  return onUnhealthy === 'hold' || judge.hasWay() || judge.isOver();
}

/**
 * Said as often as it is news; what is only reported as well. The way back is named where nobody but a
 * person goes it: a shard that is taken back, or held for a person, tells its own.
 * @param bar what keeps a rollback from being taken right now
 */
export function warnOfVerdict(
  context: StageContext,
  verdict: BakeVerdict,
  bar?: string | undefined,
): void {
  const { journal, log, settings, typed } = context;
  const { candidate, retiring } = journal.current().deployment;
  // Each by what is bad: how often and for how long is another number at each look.
  for (const { signal, text } of verdict.reported)
    if (isNews(context, `reported ${candidate} ${signal}`))
      log.warn(`${candidate}: ${text} (reported, and decides nothing).`);
  if (verdict.kind !== 'unhealthy') return;
  const { signal, reason } = verdict;
  const under = signal === undefined ? " under customers' jobs" : '';
  const bad = `${candidate} is bad${under}: ${reason}.`;
  const back = rollbackLine(settings.runnerName, retiring ?? 'the old shard', bar);
  const line = isOnlyReported(settings) ? { ...back, say: `${bad} ${back.say}` } : bad;
  if (isNews(context, `bad ${candidate} ${signal ?? 'jobs'}`)) log.warn(lineOf(line, typed));
}

/**
 * What a verdict leads to, under the lock.
 * @returns whether the bake is over; otherwise it is watched on, or the deployment is to be rolled back
 * @throws DeployError `BakeHeld` where a person is to decide
 */
export async function actOnVerdict(
  context: StageContext,
  retiring: Shard,
  { judge, verdict }: { judge: BakeJudge; verdict: BakeVerdict },
): Promise<'over' | 'watched' | Rollback> {
  warnOfVerdict(context, verdict);
  if (!isBakeSettled(context, judge, verdict)) return 'watched';
  const { onUnhealthy, onInconclusive } = context.settings.bake;
  if (verdict.kind === 'unhealthy') {
    const rollback = await holdOrRollBack(context, retiring, { judge, verdict });
    if (rollback !== undefined) return rollback;
    if (onUnhealthy === 'rollback' && !judge.isOver()) return 'watched';
  }
  if (verdict.kind === 'inconclusive' && onInconclusive === 'hold')
    throw await holdFor(context, retiring, { kind: verdict.kind, reason: verdict.reason });
  await requireStillPaused(context, retiring);
  await endBake(context, verdict);
  return 'over';
}

/**
 * What a bad verdict ends at once, a drain as well. Where it ends nothing, whoever watches goes on, and
 * who drains to the end of the drain: until then there are jobs on the old shard.
 * @returns the rollback that is to begin; undefined if there is none
 * @throws DeployError `BakeHeld` where a person is to decide
 */
export async function holdOrRollBack(
  context: StageContext,
  retiring: Shard,
  { judge, verdict }: { judge: BakeJudge; verdict: Verdict },
): Promise<Rollback | undefined> {
  const { onUnhealthy } = context.settings.bake;
  if (onUnhealthy === 'hold')
    throw await holdFor(context, retiring, { kind: 'unhealthy', reason: verdict.reason });
  if (onUnhealthy !== 'rollback') return undefined;
  if (isPausedByOperator(context.journal.current(), retiring)) {
    const reason = `${verdict.reason}; somebody else has closed ${retiring} before its drain, and it is not opened unasked`;
    throw await holdFor(context, retiring, { kind: 'unhealthy', reason });
  }
  const way = await findRollbackProcess(context, retiring);
  if (way.kind === 'open')
    return { kind: 'rollback', reason: verdict.reason, isStartedAnew: way.isStartedAnew };
  warnOnce(context, `There is no way back to ${retiring}: ${way.reason}. It is watched on.`);
  judge.losesWay();
  return undefined;
}

/** The one write of a bake that takes nothing back. */
export async function endBake(context: StageContext, { kind, reason }: Verdict): Promise<void> {
  const { journal, log } = context;
  const { candidate } = journal.current().deployment;
  const snapshot = await gate(context);
  const at = timestamp(context);
  const ended = withBakeEnd(journal.current(), { verdict: kind, at, why: reason });
  await journal.write(withPhase(ended, 'baked', at), snapshot);
  const verdictLine = `Baked ${candidate}: ${kind}, ${reason}.`;
  if (kind === 'healthy') log.act(verdictLine);
  else log.warn(verdictLine);
}

async function holdFor(
  context: StageContext,
  retiring: Shard,
  { kind, reason }: { kind: 'unhealthy' | 'inconclusive'; reason: string },
) {
  const { journal, settings } = context;
  const { candidate } = journal.current().deployment;
  await setHold(context, `the bake of ${candidate} is ${kind}: ${reason}`);
  const runner = settings.runnerName;
  return bakeHeld({ runner, candidate, retiring, verdict: kind, reason });
}
