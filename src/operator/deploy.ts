import { describeProgress } from '../domain/deployment/situation-text.ts';
import { isBefore } from '../domain/deployment/stages-and-steps.ts';
import { commandOf } from '../errors/fix-line.ts';
import { notPrepared } from '../errors/state-errors.ts';
import type { StageContext } from '../stages/context/context.ts';
import type { LockRelease, RunResult, StageResult } from '../stages/context/result.ts';
import { runStage } from '../stages/run/run-stage.ts';

/** Runs all stages in order under one lock, for a terminal. */
export async function deploy(context: StageContext, againBecause?: string): Promise<RunResult> {
  const prepared = await runStage(context, 'prepare', { againBecause });
  if (prepared.kind === 'nothing' && context.journal.current().deployment.phase === 'done')
    return deploysNothing(context, prepared);
  // At `promoting`, this run still makes the switch.
  const isOnlyFinished = !isBefore(context.journal.current().deployment.phase, 'promoted');
  context.memory.hasBegun = prepared.kind === 'done';
  for (const stage of ['provision', 'finalize'] as const) {
    context.log.section(stage);
    const result = await runStage(context, stage);
    if (result.kind === 'release_lock') return endingAsDeployment(result, isOnlyFinished);
    if (result.kind === 'nothing') context.log.act(`Nothing to do for ${stage}: ${result.reason}.`);
    // Provision stops here only while the deployment waits for an approval; its text names promote.
    if (isBefore(context.journal.current().deployment.phase, 'promoting')) break;
  }
  return toStageResult(context, isOnlyFinished);
}

/**
 * Ends a run whose deployment is already done. In a pipeline this is a retry; at a terminal, an
 * option or a variable names the finished deployment.
 */
function deploysNothing({ run, settings }: StageContext, nothing: StageResult): StageResult {
  if (run.ci !== 'terminal') return nothing;
  const reason = `deployment ${run.deploymentId} is done, and --deployment or HOSTED_RUNNER_DEPLOYMENT names it`;
  const variable = 'env -u HOSTED_RUNNER_DEPLOYMENT';
  const runner = settings.runnerName;
  throw notPrepared({ runner, stage: 'deploy', reason, isTyped: true, variable });
}

/** Ends the work after the bake with the result of the whole deployment. */
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
 * Ends a deployment. A run at a terminal that only finished an earlier deployment reports that it
 * built nothing new. In a CI the same run may have built it before a retry; its id is done and
 * begins no other deployment.
 */
function toStageResult(context: StageContext, isOnlyFinished: boolean): StageResult {
  const { journal, settings, run, typed } = context;
  const { id, candidate, phase } = journal.current().deployment;
  const how = describeProgress({ id, candidate, phase });
  if (!isOnlyFinished) return { kind: 'done', summary: [how] };
  const again = commandOf({ again: 'deploy', runner: settings.runnerName }, typed);
  const why =
    run.ci === 'terminal'
      ? `run, which built nothing new; to build a new shard: ${again}`
      : 'job, which only finished the deployment; start a new pipeline to deploy again';
  return { kind: 'done', summary: [how, `the candidate was promoted before this ${why}`] };
}
