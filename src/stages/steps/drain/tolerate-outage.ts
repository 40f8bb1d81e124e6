import type { Shard } from '../../../domain/shard.ts';
import { formatDuration } from '../../../domain/text/duration.ts';
import { stillSilent } from '../../../errors/external-errors.ts';
import { isPassing, isPortFailure, isSilence } from '../../../ports/failure.ts';
import { done, type PollResult } from '../../../ports/poll.ts';
import { againOf, hasStalled, type StageContext } from '../../context/context.ts';
import type { RetryLater } from '../../context/result.ts';
import { enforceLimits } from './drain-limits.ts';

/** A drain whose looks nobody answers for so long ends, and whoever comes next goes on with it. */
const silentForMs = 600_000;

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
  let silentSince: number | undefined;
  let times = 0;
  return {
    isUnderWay: () => silentSince !== undefined,
    async over(look) {
      const askedAt = clock.elapsed();
      try {
        const result = await look();
        [silentSince, times] = [undefined, 0];
        return result;
      } catch (error) {
        // Who has begun to open the shard again does not go on with its drain.
        if (!isSilence(error) || phaseOf() !== begunIn) throw error;
        silentSince ??= askedAt;
        times += 1;
        const forMs = clock.elapsed() - silentSince;
        if (forMs >= silentForMs) throw error;
        const reason = `it cannot be asked how far it is: ${error.message}`;
        const judgement = { kind: 'blind', reason } as const;
        const unfinished = await enforceLimits(context, { shard, judgement, startedAt, since });
        if (unfinished !== undefined) return done(unfinished);
        log.wait(
          `Waiting: ${shard} drains, and ${reason}, for ${formatDuration(forMs)} of ${formatDuration(silentForMs)}.`,
        );
        return {
          kind: 'pending',
          hint: { kind: 'failing', times, fraction: random.fraction() },
          atMostMs: silentForMs - forMs,
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
    const again = stillSilent(error, againOf(context), hasStalled(context));
    return { kind: 'retry_later', error: again };
  }
}
