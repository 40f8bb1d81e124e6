import { formatDuration } from '../../domain/text/duration.ts';
import { credentialsEnd } from '../../errors/credential-errors.ts';
import type { StageContext } from '../context/context.ts';

/** By when this run has to stop: the CI ends its job, or AWS credentials end that cannot be renewed. */
export function deadlineOf({
  run,
  ports,
}: Pick<StageContext, 'run' | 'ports'>): number | undefined {
  const ends = [run.deadline, ports.account.credentialsEnd()].filter((end) => end !== undefined);
  return ends.length === 0 ? undefined : Math.min(...ends);
}

/** Whether the next so many milliseconds may be the last of this run. */
export function isDeadlineWithin(
  context: Pick<StageContext, 'run' | 'ports'>,
  aheadMs: number,
): boolean {
  const deadline = deadlineOf(context);
  return deadline !== undefined && context.ports.clock.now() + aheadMs >= deadline;
}

/** An effect and what is written of it afterwards. */
const effectMs = 2 * 60_000;

/** What builds or removes machines takes minutes, and cut off it leaves a state that somebody has to mend. */
export const buildMs = 10 * 60_000;

/** An effect whose end nobody could write down is not begun. */
export function requireLastingCredentials(context: StageContext, neededMs = effectMs): void {
  const { ports, settings, stage } = context;
  const end = ports.account.credentialsEnd();
  if (end === undefined) return;
  const leftMs = end - ports.clock.now();
  if (leftMs >= neededMs) return;
  const left = leftMs <= 0 ? 'have ended' : `end in ${formatDuration(leftMs)}`;
  throw credentialsEnd({ runner: settings.runnerName, stage, left });
}
