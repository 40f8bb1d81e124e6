import type { StageContext } from '../stages/context.ts';
import type { StageResult } from '../stages/result.ts';
import { runStage } from '../stages/walk.ts';

/** The two easiest rungs: run it again, or remove the candidate under rule 6 so that it is built anew. */
export async function recover(
  context: StageContext,
  method: 'rerun' | 'cleanup',
): Promise<StageResult> {
  const { log, settings } = context;
  const result = await runStage(context, method === 'rerun' ? 'provision' : 'cleanup');
  if (method === 'cleanup' && result.kind === 'done') {
    log.act(`Next: hosted-runner provision --runner ${settings.runnerName}`);
  }
  log.act(
    'After a recovery, deploy once more from a clean pipeline: the other shard may carry the same fault.',
  );
  return result;
}
