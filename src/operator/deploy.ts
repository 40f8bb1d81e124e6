import type { StageContext } from '../stages/context.ts';
import type { StageResult } from '../stages/result.ts';
import { runStage } from '../stages/walk.ts';

/** All stages in turn under one lock, for a terminal. */
export async function deploy(context: StageContext): Promise<StageResult> {
  const summary: string[] = [];
  const prepared = await runStage(context, 'prepare');
  if (prepared.kind === 'nothing' && context.journal.current().deployment.phase === 'done')
    return prepared;
  for (const stage of ['provision', 'finalize'] as const) {
    context.log.section(stage);
    const result = await runStage(context, stage);
    summary.push(
      ...(result.kind === 'done' ? result.summary : [`${stage}: nothing to do, ${result.reason}`]),
    );
  }
  return { kind: 'done', summary };
}
