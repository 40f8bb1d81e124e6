import type { StageContext } from '../stages/context.ts';
import type { StageResult } from '../stages/result.ts';
import { runStage } from '../stages/walk.ts';
import { type Ask, confirmShard } from './confirm.ts';

export interface Recovery {
  readonly method: 'rerun' | 'cleanup';
  /** Absent where nobody is there to answer, or with `--yes`. */
  readonly ask?: Ask;
}

/** The two easiest rungs: run it again, or remove the candidate under rule 6 so that it is built anew. */
export async function recover(
  context: StageContext,
  { method, ask }: Recovery,
): Promise<StageResult> {
  const { log, settings, journal } = context;
  if (method === 'cleanup' && ask !== undefined) {
    const record = await journal.read();
    if (record !== undefined) await confirmShard(context, record.deployment.candidate, ask);
  }
  const result = await runStage(context, method === 'rerun' ? 'provision' : 'cleanup');
  if (result.kind !== 'done') return result;
  if (method === 'cleanup') {
    log.act(`Next: hosted-runner provision --runner ${settings.runnerName}`);
  }
  log.act(
    'After a recovery, deploy once more from a clean pipeline: the other shard may carry the same fault.',
  );
  return result;
}
