import type { Clock } from '../../ports/clock.ts';

/** The part of a look's result that decides about an answer. */
export interface CheckedHealth {
  readonly status: 'healthy' | 'unhealthy' | 'inconclusive' | 'draining';
}

export interface CachedVerdict<Health extends CheckedHealth> {
  /** The newest look that could ask everything that it needed; absent: there was none yet. */
  readonly health: Health | undefined;
  readonly checkedAt: number | undefined;
  readonly ageMs: number | undefined;
  /** The network, or who we ask, does not answer: that says nothing against the shard. */
  readonly stalled: string | undefined;
  readonly checks: number;
  readonly failures: number;
  readonly stopping: boolean;
}

export interface VerdictCache<Health extends CheckedHealth> {
  read(): CachedVerdict<Health>;
  /** Looks until it is stopped, whatever anybody asks meanwhile. */
  run(signal: AbortSignal): Promise<void>;
}

export interface CacheOptions<Health extends CheckedHealth> {
  readonly look: () => Promise<Health>;
  readonly clock: Clock;
  readonly everyMs: number;
  /** Text for a person out of what a look has thrown. */
  readonly explain: (error: unknown) => string;
}

/** While it is not healthy the next look comes sooner, so that a recovery is seen soon. */
const eagerMs = 5000;

/** The verdict that every request is answered from; a request never makes a look. */
export function createVerdictCache<Health extends CheckedHealth>(
  options: CacheOptions<Health>,
): VerdictCache<Health> {
  const { clock, everyMs, look, explain } = options;
  let health: Health | undefined;
  let checkedAt: { readonly now: number; readonly elapsed: number } | undefined;
  let stalled: string | undefined;
  let begunAt: number | undefined;
  let checks = 0;
  let failures = 0;
  let stopping = false;

  async function check(signal: AbortSignal): Promise<void> {
    begunAt = clock.elapsed();
    checks += 1;
    try {
      const found = await look();
      stalled = found.status === 'inconclusive' ? 'it could not be asked' : undefined;
      // What could not be asked does not take the place of what was seen.
      if (found.status === 'inconclusive' && health !== undefined) return;
      health = found;
      checkedAt = { now: clock.now(), elapsed: clock.elapsed() };
    } catch (error) {
      if (signal.aborted) return;
      failures += 1;
      stalled = explain(error);
    } finally {
      begunAt = undefined;
    }
  }

  return {
    read() {
      const age = checkedAt === undefined ? undefined : clock.elapsed() - checkedAt.elapsed;
      const overdue = begunAt !== undefined && clock.elapsed() - begunAt > 2 * everyMs;
      return {
        health,
        checkedAt: checkedAt?.now,
        ageMs: age,
        stalled: overdue ? 'a look has not come back' : stalled,
        checks,
        failures,
        stopping,
      };
    },
    async run(signal) {
      while (!signal.aborted) {
        await check(signal);
        const isWell = health?.status === 'healthy' && stalled === undefined;
        await pause(clock, isWell ? everyMs : Math.min(eagerMs, everyMs), signal);
      }
      stopping = true;
    },
  };
}

async function pause(clock: Clock, durationMs: number, signal: AbortSignal): Promise<void> {
  try {
    await clock.sleep(durationMs, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
