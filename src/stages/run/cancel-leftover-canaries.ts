import { bringsUp, isBefore } from '../../domain/deployment/stages-and-steps.ts';
import type { StageContext } from '../context/context.ts';
import { withTimeout } from '../context/timeout.ts';
import { cancelCanary } from '../effects/cancel-canary.ts';

/** As long as the last words have; GitHub kills within ten seconds of a cancel. */
const limitMs = 30_000;
const limitAfterCancelMs = 3000;

/**
 * A canary that waits keeps its pipeline "running" for up to a day, also when all else has failed.
 * Whatever ends the run takes it along; who comes next starts another. It never hides the error.
 *
 * @param context past the cancel check
 * @param isLockHeld whether this run held the lock: what a run without it finds may be another run's
 */
export async function cancelLeftoverCanaries(
  context: StageContext,
  { isLockHeld, isCancelled }: { readonly isLockHeld: boolean; readonly isCancelled: boolean },
): Promise<void> {
  const { settings, stage, ports, log } = context;
  // Only after what brings a candidate up does the visible canary wait for one that nobody builds any more.
  if (!bringsUp(stage) || settings.canary.kind !== 'job') return;
  let isTold = false;
  // Said once: what is cut off with the run, after its last words, is no second news.
  const warnOfRemainder = (why: string) => {
    if (!isTold) log.warn(`The canary may still wait for the candidate: ${why}.`);
    isTold = true;
  };
  const cancelled = cancel(context, isLockHeld).catch((error: unknown) =>
    warnOfRemainder(String(error)),
  );
  await withTimeout(cancelled, {
    clock: ports.clock,
    limitMs: isCancelled ? limitAfterCancelMs : limitMs,
    late: () => warnOfRemainder('it was not cancelled in time'),
  });
}

async function cancel(context: StageContext, isLockHeld: boolean): Promise<void> {
  if (!isLockHeld && (await isWorkedOn(context))) return;
  if (!isPromoted(context)) await cancelCanary(context);
}

/** Whose canary has done its work. A deployment that is done was another's, and this one's never began. */
function isPromoted({ journal, run }: StageContext): boolean {
  if (journal.version() === 0) return false;
  const { id, phase } = journal.current().deployment;
  const isOver = phase === 'done' && id !== run.deploymentId;
  return !isOver && !isBefore(phase, 'promoted');
}

/** Whoever has the lock works on this very deployment: its canary is waited for. */
async function isWorkedOn({ journal, run }: StageContext): Promise<boolean> {
  const record = await journal.read();
  return record?.deployment.id === run.deploymentId;
}
