import { isBefore } from '../domain/deployment/stages-and-steps.ts';
import { commandOf } from '../errors/fix-line.ts';
import { notPrepared } from '../errors/state-errors.ts';
import type { StageContext } from '../stages/context/context.ts';
import type { LockRelease, RunResult, StageResult } from '../stages/context/result.ts';
import { runStage } from '../stages/run/run-stage.ts';

/** All stages in turn under one lock, for a terminal. */
export async function deploy(context: StageContext, againBecause?: string): Promise<RunResult> {
  const prepared = await runStage(context, 'prepare', { againBecause });
  if (prepared.kind === 'nothing' && context.journal.current().deployment.phase === 'done')
    return deploysNothing(context, prepared);
  // At `promoting` the switch itself is still this run's.
  const isOnlyFinished = !isBefore(context.journal.current().deployment.phase, 'promoted');
  context.memory.hasBegun = prepared.kind === 'done';
  for (const stage of ['provision', 'finalize'] as const) {
    context.log.section(stage);
    const result = await runStage(context, stage);
    if (result.kind === 'release_lock') return endingAsDeployment(result, isOnlyFinished);
    if (result.kind === 'nothing') context.log.act(`Nothing to do for ${stage}: ${result.reason}.`);
    // Provision stops here only if the deployment waits for an approval, and names promote.
    if (isBefore(context.journal.current().deployment.phase, 'promoting')) break;
  }
  return toStageResult(context, isOnlyFinished);
}

/** A retried pipeline is done. At a terminal, an option or a variable names the deployment that is done. */
function deploysNothing({ run, settings }: StageContext, nothing: StageResult): StageResult {
  if (run.ci !== 'terminal') return nothing;
  const reason = `deployment ${run.deploymentId} is done, and --deployment or HOSTED_RUNNER_DEPLOYMENT names it`;
  const variable = 'env -u HOSTED_RUNNER_DEPLOYMENT';
  const runner = settings.runnerName;
  throw notPrepared({ runner, stage: 'deploy', reason, isTyped: true, variable });
}

/** What comes after the bake ends as the whole deployment would have ended. */
function endingAsDeployment(release: LockRelease, isOnlyFinished: boolean): LockRelease {
  return {
    ...release,
    async resume(context) {
      context.memory.hasBegun = true;
      const result = await release.resume(context);
      if (result.kind === 'release_lock') return endingAsDeployment(result, isOnlyFinished);
      return toStageResult(context, isOnlyFinished);
    },
  };
}

/**
 * Who has typed it to get a new image, and finished what somebody had begun, is to know that. In a CI it
 * may be the same run that is tried again, which has built; its id is done now, and begins no other.
 */
function toStageResult(context: StageContext, isOnlyFinished: boolean): StageResult {
  const { journal, settings, run, typed } = context;
  const { id, candidate, phase } = journal.current().deployment;
  const how = `deployment ${id} of candidate ${candidate} is ${phase}`;
  if (!isOnlyFinished) return { kind: 'done', summary: [how] };
  const again = commandOf({ again: 'deploy', runner: settings.runnerName }, typed);
  const why =
    run.ci === 'terminal'
      ? `run, which built nothing new; for that: ${again}`
      : 'job, which only finished it; start a new pipeline to deploy again';
  return { kind: 'done', summary: [how, `it was promoted before this ${why}`] };
}
