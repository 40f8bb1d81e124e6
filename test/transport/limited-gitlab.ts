import type { TransportAnswer } from '../../src/adapters/transport/request.ts';
import type { VirtualClock } from './virtual-clock.ts';

/**
 * Creates a GitLab that counts calls of one user in fixed periods like Rack::Attack, and refuses
 * those above its limit. If it reports limits, each response has GitLab's headers.
 */
export function createLimitedGitLab({
  clock,
  calls,
  periodMs,
  reports,
}: {
  readonly clock: VirtualClock;
  readonly calls: number;
  readonly periodMs: number;
  readonly reports: boolean;
}) {
  let period = -1;
  let observed = 0;
  let accepted = 0;
  let refused = 0;
  return {
    accepted: () => accepted,
    refused: () => refused,
    async answer(): Promise<TransportAnswer> {
      await clock.sleep(40);
      const now = clock.now();
      const current = Math.floor(now / periodMs);
      if (current !== period) observed = 0;
      period = current;
      observed += 1;
      const isRefused = observed > calls;
      if (isRefused) refused += 1;
      else accepted += 1;
      const limits = {
        'ratelimit-limit': `${Math.round((calls * 60_000) / periodMs)}`,
        'ratelimit-observed': `${observed}`,
        'ratelimit-remaining': `${Math.max(0, calls - observed)}`,
        'ratelimit-reset': `${((current + 1) * periodMs) / 1000}`,
      };
      const headers = new Headers(reports ? limits : {});
      await clock.sleep(40);
      return { status: isRefused ? 429 : 200, headers, body: '' };
    },
  };
}

/** Runs calls of several stacks in turn until the hours are over. */
export async function keepCalling(
  {
    clock,
    stacks,
    hours,
    pauseMs = 0,
  }: {
    readonly clock: VirtualClock;
    readonly stacks: number;
    readonly hours: number;
    readonly pauseMs?: number;
  },
  call: (number: number) => Promise<void>,
): Promise<void> {
  let number = 0;
  const one = async () => {
    while (clock.elapsed() < hours * 3_600_000) {
      number += 1;
      await call(number);
      if (pauseMs > 0) await clock.sleep(pauseMs);
    }
  };
  await Promise.all(Array.from({ length: stacks }, one));
}
