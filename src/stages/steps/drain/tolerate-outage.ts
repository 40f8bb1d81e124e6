import type { Shard } from '../../../domain/shard.ts';
import { formatDuration } from '../../../domain/text/duration.ts';
import { noResponse } from '../../../errors/external-errors.ts';
import { isNoResponse, isPassing, isPortFailure } from '../../../ports/failure.ts';
import { done, type PollResult } from '../../../ports/poll.ts';
import { againOf, hasStalled, type StageContext } from '../../context/context.ts';
import type { RetryLater } from '../../context/result.ts';
import { enforceLimits } from './drain-limits.ts';

/** Time without a response after which the drain ends; the next run resumes it. */
const outageMs = 600_000;

/** Tolerance for failed checks in a drain: they are retried and never count as a result. */
export interface OutageTolerance {
  over<T>(poll: () => Promise<PollResult<T>>): Promise<PollResult<T | RetryLater>>;
  /** Returns whether no check has succeeded since the last failure. */
  isUnderWay(): boolean;
}

export function tolerateFailedPolls(
  context: StageContext,
  { shard, startedAt, since }: { shard: Shard; startedAt: number; since: number },
): OutageTolerance {
  const { ports, journal, log } = context;
  const { clock, random } = ports;
  const phaseOf = () => journal.current().deployment.phase;
  const begunIn = phaseOf();
  let outageSince: number | undefined;
  let times = 0;
  return {
    isUnderWay: () => outageSince !== undefined,
    async over(poll) {
      const queriedAt = clock.elapsed();
      try {
        const result = await poll();
        [outageSince, times] = [undefined, 0];
        return result;
      } catch (error) {
        // After it has begun to reopen the shard, a run does not continue the drain.
        if (!isNoResponse(error) || phaseOf() !== begunIn) throw error;
        outageSince ??= queriedAt;
        times += 1;
        const forMs = clock.elapsed() - outageSince;
        if (forMs >= outageMs) throw error;
        const reason = `its progress cannot be read: ${error.message}`;
        const verdict = { kind: 'blind', reason } as const;
        const unfinished = await enforceLimits(context, { shard, verdict, startedAt, since });
        if (unfinished !== undefined) return done(unfinished);
        log.wait(
          `Waiting for ${shard} to drain: ${reason} (for ${formatDuration(forMs)} of ${formatDuration(outageMs)}).`,
        );
        return {
          kind: 'pending',
          hint: { kind: 'failing', times, fraction: random.fraction() },
          atMostMs: outageMs - forMs,
        };
      }
    },
  };
}

/**
 * Ends with "retry later" if the infrastructure does not respond. The next run finishes the
 * deployment, so an outage does not fail it.
 */
export async function retryLaterOnOutage<T>(
  context: StageContext,
  body: () => Promise<T>,
): Promise<T | RetryLater> {
  try {
    return await body();
  } catch (error) {
    if (!isPortFailure(error) || !isPassing(error)) throw error;
    const again = noResponse(error, againOf(context), hasStalled(context));
    return { kind: 'retry_later', error: again };
  }
}
