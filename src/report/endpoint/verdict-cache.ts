import type { Clock } from '../../ports/clock.ts';

/** Part of a check's result that a response depends on. */
export interface CheckedHealth {
  readonly status: 'healthy' | 'unhealthy' | 'inconclusive' | 'draining';
}

export interface CachedVerdict<Health extends CheckedHealth> {
  /** Result of the newest complete check. Absent before the first one. */
  readonly health: Health | undefined;
  readonly checkedAt: number | undefined;
  readonly ageMs: number | undefined;
  /** Reason if the network or a source does not respond. It proves nothing about the shard. */
  readonly stalled: string | undefined;
  readonly checks: number;
  readonly failures: number;
  readonly stopping: boolean;
}

export interface VerdictCache<Health extends CheckedHealth> {
  read(): CachedVerdict<Health>;
  /** Checks until the abort, independent of requests. */
  run(signal: AbortSignal): Promise<void>;
}

export interface CacheOptions<Health extends CheckedHealth> {
  readonly check: () => Promise<Health>;
  readonly clock: Clock;
  readonly everyMs: number;
  /** Translates an error of a check for the operator. */
  readonly explain: (error: unknown) => string;
}

/** Interval of checks while the shard is not healthy, to detect a recovery soon. */
const eagerMs = 5000;

/** Creates the cache of the verdict. Requests read it and never start a check. */
export function createVerdictCache<Health extends CheckedHealth>(
  options: CacheOptions<Health>,
): VerdictCache<Health> {
  const { clock, everyMs, check: readHealth, explain } = options;
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
      const found = await readHealth();
      stalled = found.status === 'inconclusive' ? 'the check was inconclusive' : undefined;
      // An inconclusive check does not replace an earlier result.
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
        stalled: overdue ? 'a check has not ended' : stalled,
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
