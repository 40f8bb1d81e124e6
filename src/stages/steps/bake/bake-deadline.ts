import type { BakeNote } from '../../../domain/bake/bake-note.ts';
import type { Shard } from '../../../domain/shard.ts';
import { bakeUnfinished } from '../../../errors/bake-errors.ts';
import type { StageContext } from '../../context/context.ts';
import type { RetryLater } from '../../context/result.ts';
import { isDeadlineWithin } from '../../effects/deadline.ts';

/** Before the CI ends this job there must be time to take the lock and to say that the bake goes on. */
const marginMs = 60_000;

/** Shortly before the end of the CI's job, or of credentials that cannot be renewed. */
export function isDeadlineNear(context: StageContext): boolean {
  const { bake, drain } = context.settings;
  return isDeadlineWithin(context, Math.max(bake.pollMs, drain.servicePollMs) + marginMs);
}

/** Ends the step with `StillBaking` if this run has no time left to watch on. */
export function endBeforeDeadline(
  context: StageContext,
  { until }: BakeNote,
  retiring: Shard,
  reason: string,
): RetryLater | undefined {
  if (!isDeadlineNear(context)) return undefined;
  const { settings, stage, journal } = context;
  const { candidate } = journal.current().deployment;
  const runner = settings.runnerName;
  const error = bakeUnfinished({ runner, stage, candidate, retiring, reason, until });
  return { kind: 'retry_later', error };
}
