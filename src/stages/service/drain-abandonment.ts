import { isRetirement } from '../../domain/deployment/stages-and-steps.ts';
import { otherShard, type Shard } from '../../domain/shard.ts';
import type { StageContext } from '../context/context.ts';
import { isOwnPauseNoted, reopenIntake } from '../effects/reopen.ts';
import { rollbackTarget } from '../effects/rollback-in-progress.ts';
import { watchService } from '../observe/shard/service-watch.ts';
import { checkUntilCountsGrow } from './service-proof.ts';

/**
 * What a schedule runs: how long a shard stays closed while nobody looks is theirs to end. Also of whoever
 * has closed one, and let go of the lock while the other one is watched.
 */
export function isRetirementRun({ stage, memory }: StageContext): boolean {
  return isRetirement(stage) || memory.letGoAt !== undefined;
}

/**
 * For a run that may not go on, because of a hold or an edited status: neither is a reason to leave
 * customers without a runner. What our drain has closed is opened again, unless the other shard is
 * proven to serve. Answers what was opened.
 */
export async function reopenAbandoned(
  context: StageContext,
  closed = findAbandoned(context),
): Promise<Shard | undefined> {
  if (closed === undefined) return undefined;
  const other = otherShard(context.settings.shards, closed);
  const service = await checkUntilCountsGrow(context, watchService(context, other));
  if (service.kind === 'proven') return undefined;
  return (await reopenIntake(context, closed, service)) === 'opened' ? closed : undefined;
}

/** A shard that a drain has paused, and that this run reopens before it is refused. */
function findAbandoned(context: StageContext): Shard | undefined {
  const { journal } = context;
  if (!isRetirementRun(context) || journal.version() === 0) return undefined;
  const { retiring } = journal.current().deployment;
  return retiring !== undefined && isOwnPauseNoted(context, retiring) ? retiring : undefined;
}

/** The same, or what a rollback would open that this run may not go on with. */
export function findShardToReopen(context: StageContext): Shard | undefined {
  const { journal } = context;
  if (!isRetirementRun(context) || journal.version() === 0) return undefined;
  return findAbandoned(context) ?? rollbackTarget(context);
}
