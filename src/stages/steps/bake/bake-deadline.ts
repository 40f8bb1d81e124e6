import type { BakeNote } from '../../../domain/bake/bake-note.ts';
import type { Shard } from '../../../domain/shard.ts';
import { bakeUnfinished } from '../../../errors/bake-errors.ts';
import type { StageContext } from '../../context/context.ts';
import type { RetryLater } from '../../context/result.ts';
import { isDeadlineWithin } from '../../effects/deadline.ts';

/** Time to take the lock and report the unfinished bake, before the CI ends this job. */
const marginMs = 60_000;

/** Returns whether the CI job, or credentials that cannot be renewed, end soon. */
export function isDeadlineNear(context: StageContext): boolean {
  const { bake, drain } = context.settings;
  return isDeadlineWithin(context, Math.max(bake.pollMs, drain.servicePollMs) + marginMs);
}

/** Ends the step with `StillBaking` if this run has no time left for polling. */
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
