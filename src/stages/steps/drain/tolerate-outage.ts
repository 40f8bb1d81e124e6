import type { Shard } from '../../../domain/shard.ts';
import { formatDuration } from '../../../domain/text/duration.ts';
import { noResponse } from '../../../errors/external-errors.ts';
import { isNoResponse, isPassing, isPortFailure } from '../../../ports/failure.ts';
import { done, type PollResult } from '../../../ports/poll.ts';
import { againOf, hasStalled, type StageContext } from '../../context/context.ts';
import type { RetryLater } from '../../context/result.ts';
import { enforceLimits } from './drain-limits.ts';

/** A drain whose looks nobody answers for so long ends, and whoever comes next goes on with it. */
const outageMs = 600_000;

/** The looks of one drain: one that nobody answers says nothing of the shard, and is made again. */
export interface OutageTolerance {
  over<T>(look: () => Promise<PollResult<T>>): Promise<PollResult<T | RetryLater>>;
  /** Whether nobody has answered since the last look that said anything. */
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
    async over(look) {
      const askedAt = clock.elapsed();
      try {
        const result = await look();
        [outageSince, times] = [undefined, 0];
        return result;
      } catch (error) {
        // Who has begun to open the shard again does not go on with its drain.
        if (!isNoResponse(error) || phaseOf() !== begunIn) throw error;
        outageSince ??= askedAt;
        times += 1;
        const forMs = clock.elapsed() - outageSince;
        if (forMs >= outageMs) throw error;
        const reason = `it cannot be asked how far it is: ${error.message}`;
        const verdict = { kind: 'blind', reason } as const;
        const unfinished = await enforceLimits(context, { shard, verdict, startedAt, since });
        if (unfinished !== undefined) return done(unfinished);
        log.wait(
          `Waiting: ${shard} drains, and ${reason}, for ${formatDuration(forMs)} of ${formatDuration(outageMs)}.`,
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
 * What is left of a deployment is finished by whoever comes next: a world that does not answer is no
 * reason to end it as failed.
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
