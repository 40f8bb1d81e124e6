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
import type { BakeEvaluator } from '../../context/run-memory.ts';
import { gate } from '../../effects/effect-gate.ts';
import { setHold } from '../../effects/set-hold.ts';
import { requireStillPaused } from '../../service/intake.ts';
import { findRollbackProcess } from '../../service/rollback-decision.ts';

type Verdict = Exclude<BakeVerdict, { kind: 'watching' }>;

function isOnlyReported({ bake: { onUnhealthy } }: StageContext['settings']): boolean {
  return onUnhealthy === 'report' || onUnhealthy === 'off';
}

/** Decides whether the verdict has a consequence now; a reported one does not end the bake. */
export function isBakeSettled(
  { settings }: StageContext,
  judge: BakeEvaluator,
  verdict: BakeVerdict,
): verdict is Verdict {
  if (verdict.kind === 'watching') return false;
  const { onUnhealthy } = settings.bake;
  if (verdict.kind !== 'unhealthy') return true;
  if (isOnlyReported(settings)) return judge.isWatched();
  return onUnhealthy === 'hold' || judge.hasWay() || judge.isOver();
}

/**
 * Warns once of each new verdict, even of one that is only reported. It names the rollback command
 * if neither an automatic rollback nor a hold follows.
 * @param bar reason that prevents a rollback right now
 */
export function warnOfVerdict(
  context: StageContext,
  verdict: BakeVerdict,
  bar?: string | undefined,
): void {
  const { journal, log, settings, typed } = context;
  const { candidate, retiring } = journal.current().deployment;
  // One warning for each bad signal, because counts and durations change at each check.
  for (const { signal, text } of verdict.reported)
    if (isNews(context, `reported ${candidate} ${signal}`))
      log.warn(`${candidate}: ${text} (reported only; it does not change the verdict).`);
  if (verdict.kind !== 'unhealthy') return;
  const { signal, reason } = verdict;
  const under = signal === undefined ? ' under customer jobs' : '';
  const bad = `${candidate} is bad${under}: ${reason}.`;
  const back = rollbackLine(settings.runnerName, retiring ?? 'the old shard', bar);
  const line = isOnlyReported(settings) ? { ...back, text: `${bad} ${back.text}` } : bad;
  if (isNews(context, `bad ${candidate} ${signal ?? 'jobs'}`)) log.warn(lineOf(line, typed));
}

/**
 * Acts on a verdict under the lock.
 * @returns whether the bake is over or continues, or the rollback that must begin
 * @throws DeployError `BakeHeld` if an operator must decide
 */
export async function actOnVerdict(
  context: StageContext,
  retiring: Shard,
  { judge, verdict }: { judge: BakeEvaluator; verdict: BakeVerdict },
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
 * Acts on a bad verdict, which can also end a drain. Without a consequence, the bake or the drain
 * continues, because the old shard still has jobs.
 * @returns the rollback that must begin; undefined if there is none
 * @throws DeployError `BakeHeld` if an operator must decide
 */
export async function holdOrRollBack(
  context: StageContext,
  retiring: Shard,
  { judge, verdict }: { judge: BakeEvaluator; verdict: Verdict },
): Promise<Rollback | undefined> {
  const { onUnhealthy } = context.settings.bake;
  if (onUnhealthy === 'hold')
    throw await holdFor(context, retiring, { kind: 'unhealthy', reason: verdict.reason });
  if (onUnhealthy !== 'rollback') return undefined;
  if (isPausedByOperator(context.journal.current(), retiring)) {
    const reason = `${verdict.reason}; ${retiring} was paused outside hosted-runner before its drain, so it is not reopened automatically`;
    throw await holdFor(context, retiring, { kind: 'unhealthy', reason });
  }
  const way = await findRollbackProcess(context, retiring);
  if (way.kind === 'open')
    return { kind: 'rollback', reason: verdict.reason, isStartedAgain: way.isStartedAgain };
  warnOnce(context, `No rollback to ${retiring} is possible: ${way.reason}. The checks continue.`);
  judge.losesWay();
  return undefined;
}

/** Writes the end of a bake that does not lead to a rollback. */
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
