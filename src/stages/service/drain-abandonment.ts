import { isWatched } from '../../domain/bake/bake-note.ts';
import type { DeploymentRecord } from '../../domain/deployment/record.ts';
import { isRetirement } from '../../domain/deployment/stages-and-steps.ts';
import { otherShard, type Shard } from '../../domain/shard.ts';
import { isDeployError } from '../../errors/deploy-error.ts';
import type { StageContext } from '../context/context.ts';
import { requireNoHold } from '../effects/effect-gate.ts';
import { isClosedByUs, reopenIntake } from '../effects/reopen.ts';
import { rollbackTarget } from '../effects/rollback-in-progress.ts';
import { watchService } from '../observe/shard/service-watch.ts';
import type { ParameterSnapshot } from '../record/parameter-snapshot.ts';
import { checkUntilCountsGrow } from './service-proof.ts';

/**
 * What a schedule runs: how long a shard stays closed while nobody looks is theirs to end. Also of whoever
 * has closed one, and let go of the lock while the other one is watched.
 */
export function isRetirementRun({ stage, baking }: StageContext): boolean {
  return isRetirement(stage) || baking?.letGoAt !== undefined;
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

/** Before the lock: a hold refuses, unless this run has to see to a shard that was left closed. */
export async function requireNoHoldUnlessAbandoned(context: StageContext): Promise<void> {
  await whereHeld(context, undefined, async (error) => {
    if (isRetirementRun(context)) await context.journal.read();
    if (findShardToReopen(context) === undefined) throw error;
  });
}

/**
 * Under the lock: a hold refuses, and what was left closed is seen to first. Who watches a bake by then
 * watches on: a hold suspends what becomes of it, and its own keeper sees to what is closed.
 */
export async function requireNoHoldAfterReopen(
  context: StageContext,
  snapshot: ParameterSnapshot,
  mayAct: (record: DeploymentRecord) => boolean,
): Promise<void> {
  await whereHeld(context, snapshot, async (error) => {
    const record = isRetirementRun(context) ? await context.journal.read(snapshot) : undefined;
    const isOurs = record !== undefined && mayAct(record);
    if (isOurs && context.baking?.hasWatched === true && isWatched(record.deployment)) return;
    if (isOurs) await reopenAbandoned(context, findShardToReopen(context));
    throw error;
  });
}

async function whereHeld(
  context: StageContext,
  snapshot: ParameterSnapshot | undefined,
  then: (error: unknown) => Promise<void>,
): Promise<void> {
  try {
    await requireNoHold(context, snapshot);
  } catch (error) {
    if (!isDeployError(error) || error.code !== 'Held') throw error;
    await then(error);
  }
}

/** What this run has to see to before anything refuses it. */
export function findAbandoned(context: StageContext): Shard | undefined {
  const { journal } = context;
  if (!isRetirementRun(context) || journal.version() === 0) return undefined;
  const { retiring } = journal.current().deployment;
  return retiring !== undefined && isClosedByUs(context, retiring) ? retiring : undefined;
}

/** The same, or what a rollback would open that this run may not go on with. */
export function findShardToReopen(context: StageContext): Shard | undefined {
  const { journal } = context;
  if (!isRetirementRun(context) || journal.version() === 0) return undefined;
  return findAbandoned(context) ?? rollbackTarget(context);
}
