import type { Clock } from '../../ports/clock.ts';
import { isPassing, isPortFailure, type PortFailure } from '../../ports/failure.ts';
import type { Random } from '../../ports/random.ts';
import type { Question } from '../transport/slow-response-notice.ts';

export interface RetryRequest<T> {
  readonly attempt: () => Promise<T>;
  readonly clock: Clock;
  readonly random: Random;
  /** Time after the first attempt in which a new attempt may start. */
  readonly budgetMs: number;
  readonly signal?: AbortSignal | undefined;
  readonly question: Pick<Question, 'answered' | 'pause'>;
}

/**
 * Retries temporary failures that had no effect: reads, and writes that were throttled or never
 * arrived. A write with a lost response is rejected at once: after a second attempt, the first
 * write would pass for a write by another process.
 */
export async function retrying<T>(request: RetryRequest<T>): Promise<T> {
  const { attempt, clock, random, budgetMs, signal, question } = request;
  const startedAt = clock.elapsed();
  for (let round = 0; ; round += 1) {
    signal?.throwIfAborted();
    try {
      return await attempt();
    } catch (error) {
      signal?.throwIfAborted();
      if (!isPortFailure(error) || !passes(error)) throw error;
      const pauseMs = chooseRetryPause({ failure: error, round, fraction: random.fraction() });
      if (clock.elapsed() - startedAt + pauseMs > budgetMs) throw error;
      question.answered(error.kind === 'unreachable' ? 'nothing' : 'an answer');
      await question.pause(() => clock.sleep(pauseMs, signal));
    }
  }
}

function passes(failure: PortFailure): boolean {
  return failure.effect === 'none' && isPassing(failure);
}

const longestPauseMs = 8000;

/**
 * Doubles the pause with each round, from a higher start after throttling. Half of it is random.
 */
function chooseRetryPause({
  failure,
  round,
  fraction,
}: {
  failure: PortFailure;
  round: number;
  fraction: number;
}): number {
  const firstMs = failure.kind === 'throttled' ? 500 : 200;
  const wholeMs = Math.min(longestPauseMs, firstMs * 2 ** round);
  return Math.round(wholeMs * (0.5 + fraction / 2));
}
