import { formatDuration } from '../../domain/text/duration.ts';
import { credentialsEnd } from '../../errors/credential-errors.ts';
import type { StageContext } from '../context/context.ts';

/** Returns when this run must stop: at the end of the CI job or of unrenewable credentials. */
export function deadlineOf({
  run,
  ports,
}: Pick<StageContext, 'run' | 'ports'>): number | undefined {
  const ends = [run.deadline, ports.account.credentialsEnd()].filter((end) => end !== undefined);
  return ends.length === 0 ? undefined : Math.min(...ends);
}

/** Returns whether the run may end within the given time. */
export function isDeadlineWithin(
  context: Pick<StageContext, 'run' | 'ports'>,
  aheadMs: number,
): boolean {
  const deadline = deadlineOf(context);
  return deadline !== undefined && context.ports.clock.now() + aheadMs >= deadline;
}

/** Time for an effect and its note in the record. */
const effectMs = 2 * 60_000;

/** Time to build or remove machines. An operator must fix the state of an interrupted apply. */
export const buildMs = 10 * 60_000;

/** Refuses an effect if the credentials may expire before its result is recorded. */
export function requireLastingCredentials(context: StageContext, neededMs = effectMs): void {
  const { ports, settings, stage } = context;
  const end = ports.account.credentialsEnd();
  if (end === undefined) return;
  const leftMs = end - ports.clock.now();
  if (leftMs >= neededMs) return;
  const left = leftMs <= 0 ? 'have expired' : `expire in ${formatDuration(leftMs)}`;
  throw credentialsEnd({ runner: settings.runnerName, stage, left });
}
