import type { BakeNote } from '../../../domain/bake/bake-note.ts';
import type { Shard } from '../../../domain/shard.ts';
import { bakeUnfinished } from '../../../errors/bake-errors.ts';
import type { StageContext } from '../../context/context.ts';
import { isDeadlineWithin } from '../../effects/deadline.ts';

/** Before the CI ends this job there must be time to take the lock and to say that the bake goes on. */
const marginMs = 60_000;

/** Shortly before the end of the CI's job, or of credentials that cannot be renewed. */
export function isDeadlineNear(context: StageContext): boolean {
  const { bake, drain } = context.settings;
  return isDeadlineWithin(context, Math.max(bake.pollMs, drain.servicePollMs) + marginMs);
}

/** @throws DeployError `StillBaking`, with exit code 75 */
export function requireTimeLeft(
  context: StageContext,
  { until }: BakeNote,
  retiring: Shard,
  reason: string,
): void {
  if (!isDeadlineNear(context)) return;
  const { settings, stage, journal } = context;
  const { candidate } = journal.current().deployment;
  throw bakeUnfinished({
    runner: settings.runnerName,
    stage,
    candidate,
    retiring,
    reason,
    until,
  });
}
