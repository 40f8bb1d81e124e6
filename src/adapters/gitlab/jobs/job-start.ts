import type { Clock } from '../../../ports/clock.ts';
import { isPortFailure, PortFailure } from '../../../ports/failure.ts';
import { done, pending, pollUntil } from '../../../ports/poll.ts';
import type { Job } from './job.ts';

const looks = 4;
const betweenChecksMs = 2_000;

/** Starts a job once. Where the answer was lost, the new job is looked for and nothing is sent again. */
export async function startOnce(options: {
  readonly clock: Clock;
  readonly start: () => Promise<Job>;
  /** The new job, if it is there by now. */
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

/** Looks a few times: what was just started may not be listed yet. */
export async function findWithRetries(
  clock: Clock,
  find: () => Promise<Job | undefined>,
): Promise<Job | undefined> {
  return pollUntil({ clock, cadence: { pollMs: betweenChecksMs } }, async (look) => {
    const found = await find();
    return found !== undefined || look === looks ? done(found) : pending();
  });
}

// A job token may read jobs and is answered 401 when it starts one: it is valid and may not.
function asDenied(failure: PortFailure): PortFailure {
  if (failure.kind !== 'unauthenticated') return failure;
  const { effect, source, detail, status } = failure;
  return new PortFailure({ kind: 'denied', effect, source, detail, status });
}
