import type { StageContext } from '../walk/context.ts';
import { together } from '../walk/in-parallel.ts';

/**
 * Milliseconds since the new shard was made active, by the clock of Parameter Store alone: from the write
 * of the status to that of our lock, and from there by ours that never jumps. Undefined where it cannot
 * be had: then the record's own time is all that there is.
 */
export async function sincePromotedByStore({
  ports,
  names,
  baking,
}: StageContext): Promise<number | undefined> {
  const lockedAt = baking?.lockedAt;
  if (lockedAt === undefined) return undefined;
  const { parameters, clock } = ports;
  const [status, lock] = await together(
    () => parameters.find(names.status),
    () => parameters.find(names.lock),
  );
  if (status === undefined || lock === undefined) return undefined;
  const untilLockMs = Date.parse(lock.modifiedAt) - Date.parse(status.modifiedAt);
  return untilLockMs + clock.elapsed() - lockedAt;
}
