import { shardEntry } from '../../domain/deployment/record.ts';
import {
  isPausedByOperator,
  isPauseUnanswered,
  withIntake,
} from '../../domain/drain/shard-intake.ts';
import type { Shard } from '../../domain/shard.ts';
import { capital } from '../../domain/text/capital.ts';
import { type StageContext, timestamp, wordsOf } from '../context/context.ts';
import { withGuardEvent } from '../context/guard-event.ts';
import { confirmRead } from '../observe/confirm-read.ts';

/**
 * What a rollback that is under way goes back to, and whoever goes on with it opens first. One whose
 * process has ended has no production tag until it is proven; one that a person has paused since it was
 * opened is theirs.
 */
export function rollbackTarget({ journal }: StageContext): Shard | undefined {
  const { kind, phase, candidate } = journal.current().deployment;
  if (kind !== 'rollback' || phase !== 'promoting') return undefined;
  const { productionTag, removal } = shardEntry(journal.current(), candidate);
  const isByOperator = isPausedByOperator(journal.current(), candidate);
  return productionTag && removal === undefined && !isByOperator ? candidate : undefined;
}

/** The rollback has opened it: whoever pauses it from here on is a person, and what one has paused before is open. */
export async function noteIntakeOpened(context: StageContext, shard: Shard): Promise<void> {
  const { journal, memory } = context;
  memory.returned.add(shard);
  const record = journal.current();
  if (isPausedByOperator(record, shard))
    await journal.write(withIntake(record, shard, 'reopened', timestamp(context)));
}

/** Before it is closed again by us, as its own proof was bad: a pause that is found then is no person's. */
export async function clearIntakeOpened(context: StageContext, shard: Shard): Promise<void> {
  const { journal, memory } = context;
  memory.returned.delete(shard);
  const record = journal.current();
  const { evidence, ...entry } = shardEntry(record, shard);
  if (evidence === undefined) return;
  await journal.write({ ...record, shards: { ...record.shards, [shard]: entry } });
}

/**
 * Whether a person has paused what a rollback had opened already, which is noted. That it was opened is known
 * where this run has done it, or any run has noted its proof. Who has paused it nobody can tell as long as a
 * pause of its drain may land late: it is held as ours then.
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
    `${capital(registration)} ${id} of ${shard} was ${paused} by somebody after the rollback had opened it; it is left so.`,
  );
  return true;
}
