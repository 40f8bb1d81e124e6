import { bringsUp, isBefore } from '../../domain/deployment/stages-and-steps.ts';
import type { StageContext } from '../context/context.ts';
import { withTimeout } from '../context/timeout.ts';
import { cancelCanary } from '../effects/cancel-canary.ts';

/** Same limits as for the error summary. GitHub kills a job within ten seconds of a cancel. */
const limitMs = 30_000;
const limitAfterCancelMs = 3000;

/**
 * Cancels leftover canaries at the end of a run. A waiting canary keeps its pipeline "running" for
 * up to a day, even after a failure. The next run starts another one. The run's error takes
 * precedence.
 *
 * @param context usable after a cancel
 * @param isLockHeld whether this run held the lock; otherwise a canary may be another run's
 */
export async function cancelLeftoverCanaries(
  context: StageContext,
  { isLockHeld, isCancelled }: { readonly isLockHeld: boolean; readonly isCancelled: boolean },
): Promise<void> {
  const { settings, stage, ports, log } = context;
  // A canary job waits for a candidate only after a stage that brings up the candidate.
  if (!bringsUp(stage) || settings.canary.kind !== 'job') return;
  let hasWarned = false;
  // Warns once: an error after the error summary, when the run is cut off, is not repeated.
  const warnOfRemainder = (why: string) => {
    if (!hasWarned) log.warn(`A canary job may still be waiting for the candidate: ${why}.`);
    hasWarned = true;
  };
  const cancelled = cancel(context, isLockHeld).catch((error: unknown) =>
    warnOfRemainder(String(error)),
  );
  await withTimeout(cancelled, {
    clock: ports.clock,
    limitMs: isCancelled ? limitAfterCancelMs : limitMs,
    late: () => warnOfRemainder('it was not canceled in time'),
  });
}

async function cancel(context: StageContext, isLockHeld: boolean): Promise<void> {
  if (!isLockHeld && (await isWorkedOn(context))) return;
  if (!isPromoted(context)) await cancelCanary(context);
}

/**
 * Decides whether the canary has done its work. A finished deployment with another id means that
 * this deployment never began.
 */
function isPromoted({ journal, run }: StageContext): boolean {
  if (journal.version() === 0) return false;
  const { id, phase } = journal.current().deployment;
  const isOver = phase === 'done' && id !== run.deploymentId;
  return !isOver && !isBefore(phase, 'promoted');
}

/** Decides whether the lock holder works on this deployment, so its canary must stay. */
async function isWorkedOn({ journal, run }: StageContext): Promise<boolean> {
  const record = await journal.read();
  return record?.deployment.id === run.deploymentId;
}
