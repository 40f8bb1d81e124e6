import type { Clock } from '../../../ports/clock.ts';
import { isPortFailure, PortFailure } from '../../../ports/failure.ts';
import { done, pending, pollUntil } from '../../../ports/poll.ts';
import type { Job } from './job.ts';

const mostPolls = 4;
const betweenChecksMs = 2_000;

/** Starts a job once. If the response is lost, it finds the new job instead of a second start. */
export async function startOnce(options: {
  readonly clock: Clock;
  readonly start: () => Promise<Job>;
  /** Finds the new job, if it exists by now. */
  readonly findStarted: () => Promise<Job | undefined>;
}): Promise<Job> {
  try {
    return await options.start();
  } catch (error) {
    if (!isPortFailure(error)) throw error;
    if (error.effect === 'none') throw asDenied(error);
    const started = await findWithRetries(options.clock, options.findStarted).catch(
      () => undefined,
    );
    if (started === undefined) throw error;
    return started;
  }
}

/** Checks several times, because a new job may not be listed yet. */
export async function findWithRetries(
  clock: Clock,
  find: () => Promise<Job | undefined>,
): Promise<Job | undefined> {
  return pollUntil({ clock, cadence: { pollMs: betweenChecksMs } }, async (polls) => {
    const found = await find();
    return found !== undefined || polls === mostPolls ? done(found) : pending();
  });
}

// Translates 401 into a denial: a job token may read jobs, and gets 401 when it starts one.
function asDenied(failure: PortFailure): PortFailure {
  if (failure.kind !== 'unauthenticated') return failure;
  const { effect, source, detail, status } = failure;
  return new PortFailure({ kind: 'denied', effect, source, detail, status });
}
