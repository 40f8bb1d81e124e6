import { isBefore } from '../../domain/deployment/stages-and-steps.ts';
import type { StageContext } from '../walk/context.ts';
import { cancelCanary } from './cancel-canary.ts';

/** After these the visible canary waits for a candidate that nobody builds any more. */
const stages = ['prepare', 'onboard', 'provision', 'promote', 'deploy'];
/** As long as the last words have; GitHub kills within ten seconds of a cancel. */
const limitMs = 30_000;
const limitAfterCancelMs = 3000;

/**
 * A canary that waits keeps its pipeline "running" for up to a day, also when all else has failed.
 * Whatever ends the run takes it along; who comes next starts another. It never hides the error.
 *
 * @param context past the cancel check
 * @param isOurs whether this run held the lock: what a run without it finds may be another run's
 */
export async function leaveNoCanary(
  context: StageContext,
  { isOurs, isCancelled }: { readonly isOurs: boolean; readonly isCancelled: boolean },
): Promise<void> {
  const { settings, stage, ports, log } = context;
  if (!stages.includes(stage.split(' ')[0] ?? '') || settings.canary.kind !== 'job') return;
  const enough = new AbortController();
  const tooLong = ports.clock
    .sleep(isCancelled ? limitAfterCancelMs : limitMs, enough.signal)
    .then(() =>
      log.warn('The canary may still wait for the candidate: it was not cancelled in time.'),
    )
    .catch(() => {});
  const cancelled = cancel(context, isOurs).catch((error: unknown) =>
    log.warn(`The canary may still wait for the candidate: ${String(error)}.`),
  );
  await Promise.race([cancelled, tooLong]);
  enough.abort();
}

async function cancel(context: StageContext, isOurs: boolean): Promise<void> {
  if (!isOurs && (await isWorkedOn(context))) return;
  const { journal } = context;
  const promoted =
    journal.version() > 0 && !isBefore(journal.current().deployment.phase, 'promoted');
  if (!promoted) await cancelCanary(context);
}

/** Whoever has the lock works on this very deployment: its canary is waited for. */
async function isWorkedOn({ journal, run }: StageContext): Promise<boolean> {
  const record = await journal.read();
  return record?.deployment.id === run.deploymentId;
}
