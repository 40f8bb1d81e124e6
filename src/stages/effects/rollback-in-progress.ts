import { shardEntry } from '../../domain/deployment/record.ts';
import {
  isPausedByOperator,
  isPauseUnanswered,
  withIntake,
} from '../../domain/drain/shard-intake.ts';
import type { Shard } from '../../domain/shard.ts';
import { type StageContext, timestamp, wordsOf } from '../context/context.ts';
import { withGuardEvent } from '../context/guard-event.ts';
import { confirmRead } from '../observe/confirm-read.ts';

/**
 * Returns the target shard of the rollback in progress. The resuming run reopens it first. A target
 * whose process has ended has no production tag until it is verified. A target that an operator
 * paused after the reopening is excluded.
 */
export function rollbackTarget({ journal }: StageContext): Shard | undefined {
  const { kind, phase, candidate } = journal.current().deployment;
  if (kind !== 'rollback' || phase !== 'promoting') return undefined;
  const { productionTag, removal } = shardEntry(journal.current(), candidate);
  const isByOperator = isPausedByOperator(journal.current(), candidate);
  return productionTag && removal === undefined && !isByOperator ? candidate : undefined;
}

/**
 * Notes that the rollback has reopened the shard. Any earlier pause by an operator is over; a later
 * pause is an operator's.
 */
export async function noteIntakeOpened(context: StageContext, shard: Shard): Promise<void> {
  const { journal, memory } = context;
  memory.returned.add(shard);
  const record = journal.current();
  if (isPausedByOperator(record, shard))
    await journal.write(withIntake(record, shard, 'reopened', timestamp(context)));
}

/**
 * Clears the note before hosted-runner pauses the shard again after a failed proof. The pause is
 * then not taken for an operator's.
 */
export async function clearIntakeOpened(context: StageContext, shard: Shard): Promise<void> {
  const { journal, memory } = context;
  memory.returned.delete(shard);
  const record = journal.current();
  const { evidence, ...entry } = shardEntry(record, shard);
  if (evidence === undefined) return;
  await journal.write({ ...record, shards: { ...record.shards, [shard]: entry } });
}

/**
 * Notes whether an operator paused a shard that a rollback had already reopened. This run has
 * reopened it, or an earlier run has noted its proof. While a pause of the drain may still take
 * effect late, the pause counts as hosted-runner's.
 */
export async function noteOperatorPause(context: StageContext, shard: Shard): Promise<boolean> {
  const { journal, memory, log } = context;
  const record = journal.current();
  const { registration: id, evidence } = shardEntry(record, shard);
  const wasOpened = memory.returned.has(shard) || evidence !== undefined;
  if (id === undefined || !wasOpened || isPauseUnanswered(record, shard)) return false;
  if (!(await confirmRead(context, id, ({ paused }) => paused)).isLasting) return false;
  await withGuardEvent(context, 'record', () => journal.fence());
  const at = timestamp(context);
  await journal.write(withIntake(journal.current(), shard, 'operator_pause', at));
  const { registration, paused } = wordsOf(context);
  log.warn(
    `Left ${registration} ${id} of ${shard} ${paused}: it was paused after the rollback had reopened it.`,
  );
  return true;
}
