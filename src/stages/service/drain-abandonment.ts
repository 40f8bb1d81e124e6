import { isRetirement } from '../../domain/deployment/stages-and-steps.ts';
import { otherShard, type Shard } from '../../domain/shard.ts';
import type { StageContext } from '../context/context.ts';
import { isOwnPauseNoted, reopenIntake } from '../effects/reopen.ts';
import { rollbackTarget } from '../effects/rollback-in-progress.ts';
import { watchService } from '../observe/shard/service-watch.ts';
import { checkUntilCountsGrow } from './service-proof.ts';

/**
 * Decides whether this run must reopen a shard that a drain left paused. This holds for retirement
 * stages, and for a run that paused a shard and released the lock during a bake.
 */
export function isRetirementRun({ stage, memory }: StageContext): boolean {
  return isRetirement(stage) || memory.letGoAt !== undefined;
}

/**
 * Reopens a shard that a drain paused, for a run that may not continue because of a hold or an
 * edited status. Neither may leave customers without a runner. The shard stays paused if the other
 * shard is verified. Returns the reopened shard.
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

/** Returns the shard that a drain has paused and that this run reopens before it is refused. */
function findAbandoned(context: StageContext): Shard | undefined {
  const { journal } = context;
  if (!isRetirementRun(context) || journal.version() === 0) return undefined;
  const { retiring } = journal.current().deployment;
  return retiring !== undefined && isOwnPauseNoted(context, retiring) ? retiring : undefined;
}

/** Returns the shard to reopen, or the target of a rollback that this run may not continue. */
export function findShardToReopen(context: StageContext): Shard | undefined {
  const { journal } = context;
  if (!isRetirementRun(context) || journal.version() === 0) return undefined;
  return findAbandoned(context) ?? rollbackTarget(context);
}
