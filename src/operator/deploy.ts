import { isPastQuarantine } from '../domain/deployment/stages-and-steps.ts';
import { commandOf } from '../errors/fix-line.ts';
import type { StageContext } from '../stages/walk/context.ts';
import type { StageResult } from '../stages/walk/result.ts';
import { LetGo } from '../stages/walk/result.ts';
import { runStage } from '../stages/walk/walk.ts';

/** All stages in turn under one lock, for a terminal. */
export async function deploy(context: StageContext): Promise<StageResult> {
  const prepared = await runStage(context, 'prepare');
  if (prepared.kind === 'nothing' && context.journal.current().deployment.phase === 'done')
    return prepared;
  const isOnlyFinished = isPastQuarantine(context.journal.current().deployment.phase);
  const own = prepared.kind === 'done' ? { ...context, hasBegun: true as const } : context;
  for (const stage of ['provision', 'finalize'] as const) {
    context.log.section(stage);
    const result = await runStage(own, stage).catch((error) =>
      endingAsDeployment(error, isOnlyFinished),
    );
    if (result.kind === 'nothing') context.log.act(`Nothing to do for ${stage}: ${result.reason}.`);
  }
  return told(context, isOnlyFinished);
}

/** While a bake is watched the lock is free; what comes after it ends as all of it would have. */
function endingAsDeployment(error: unknown, isOnlyFinished: boolean): never {
  if (!(error instanceof LetGo)) throw error;
  throw new LetGo(async (context) => {
    await error
      .resume({ ...context, hasBegun: true })
      .catch((next) => endingAsDeployment(next, isOnlyFinished));
    return told(context, isOnlyFinished);
  });
}

/** Who has typed it to get a new image, and finished what somebody had begun, is to know that. */
function told({ journal, settings, typed }: StageContext, isOnlyFinished: boolean): StageResult {
  const { id, candidate, phase } = journal.current().deployment;
  const how = `deployment ${id} of candidate ${candidate} is ${phase}`;
  if (!isOnlyFinished) return { kind: 'done', summary: [how] };
  const again = commandOf({ again: 'deploy', runner: settings.runnerName }, typed);
  return {
    kind: 'done',
    summary: [how, `it was promoted before this run, which built nothing new; for that: ${again}`],
  };
}
