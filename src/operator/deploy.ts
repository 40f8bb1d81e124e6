import type { StageContext } from '../stages/walk/context.ts';
import type { StageResult } from '../stages/walk/result.ts';
import { LetGo } from '../stages/walk/result.ts';
import { runStage } from '../stages/walk/walk.ts';

/** All stages in turn under one lock, for a terminal. */
export async function deploy(context: StageContext): Promise<StageResult> {
  const prepared = await runStage(context, 'prepare');
  if (prepared.kind === 'nothing' && context.journal.current().deployment.phase === 'done')
    return prepared;
  const own = prepared.kind === 'done' ? { ...context, hasBegun: true as const } : context;
  for (const stage of ['provision', 'finalize'] as const) {
    context.log.section(stage);
    const result = await runStage(own, stage).catch(endingAsDeployment);
    if (result.kind === 'nothing') context.log.act(`Nothing to do for ${stage}: ${result.reason}.`);
  }
  return told(context);
}

/** While a bake is watched the lock is free; what comes after it ends as all of it would have. */
function endingAsDeployment(error: unknown): never {
  if (!(error instanceof LetGo)) throw error;
  throw new LetGo(async (context) => {
    await error.resume({ ...context, hasBegun: true }).catch(endingAsDeployment);
    return told(context);
  });
}

function told(context: StageContext): StageResult {
  const { id, candidate, phase } = context.journal.current().deployment;
  return { kind: 'done', summary: [`deployment ${id} of candidate ${candidate} is ${phase}`] };
}
