import type { CallLimit, CallPeriod, LimitInForce } from '../../domain/call-usage.ts';

/** Default limit per minute, if neither a key nor a response sets one. */
export interface Limits {
  readonly perMinute: number;
  /** Number of calls that may be sent at once after a pause. */
  readonly burst: number;
}

export interface Delay {
  readonly ms: number;
  /**
   * Budget of the configuration that the call waits for. Absent if the other side's limit delays
   * it.
   */
  readonly budget?: CallLimit;
}

/** Distribution of calls over a period. */
interface Share {
  readonly intervalMs: number;
  /** Number of calls that may be sent at once after a pause. */
  readonly burst: number;
  /** Number of additional writes that may be sent at once. */
  readonly reserve: number;
}

/**
 * Part of the other side's limit that this process uses. The rest is for other users of the token.
 */
export const ownShare = 0.9;

const periods: Readonly<Record<CallPeriod, number>> = { minute: 60_000, hour: 3_600_000 };

/**
 * Part of a budget for reads that are sent at once after a pause. Writes reserve the same part.
 */
const atOnce = 0.05;

/**
 * Distributes at most `calls` over any period. A twentieth is reserved for writes: pausing a runner
 * must not wait for a thousand checks.
 */
function shareOf({ calls, per }: Pick<CallLimit, 'calls' | 'per'>): Share {
  const burst = Math.max(1, Math.floor(calls * atOnce));
  const reserve = Math.min(Math.ceil(calls * atOnce), calls - burst);
  // A period may start with a full burst, followed by evenly spaced calls.
  return { intervalMs: periods[per] / (calls - burst - reserve + 1), burst, reserve };
}

/** Count of calls against one share. */
interface Allotment {
  waitMs(now: number, isWrite: boolean): number;
  claim(now: number): void;
  /** Removes saved calls, except the reserve for writes. The next read is due at `until`. */
  spend(until: number): void;
  /** Replaces the share. Earlier calls count against the new one. */
  change(share: Share): void;
}

function createAllotment(first: Share): Allotment {
  let share = first;
  /** Time of the next call at an even pace. */
  let dueAt = Number.NEGATIVE_INFINITY;
  const savedMs = (isWrite: boolean) =>
    (share.burst - 1 + (isWrite ? share.reserve : 0)) * share.intervalMs;
  return {
    waitMs: (now, isWrite) => dueAt - savedMs(isWrite) - now,
    claim(now) {
      dueAt = Math.max(dueAt, now) + share.intervalMs;
    },
    spend(until) {
      dueAt = Math.max(dueAt, until + savedMs(false));
    },
    change(next) {
      share = next;
    },
  };
}

interface Rate {
  readonly limit: LimitInForce;
  readonly allotment: Allotment;
}

/** Limits by period: from a key, else from responses (per minute), else the default. */
export interface Rates {
  delay(now: number, isWrite: boolean): Delay;
  claim(now: number): void;
  spend(until: number): void;
  restrict(limit: CallLimit): void;
  /** Sets the other side's limit per minute for all users of the token together. */
  allow(calls: number): void;
  inForce(): readonly LimitInForce[];
}

export function openRates({ perMinute, burst }: Limits): Rates {
  const usual = createAllotment({ intervalMs: 60_000 / perMinute, burst, reserve: 0 });
  const rates = new Map<CallPeriod, Rate>();
  rates.set('minute', {
    limit: { source: 'default', calls: perMinute, per: 'minute' },
    allotment: usual,
  });
  const put = (limit: LimitInForce): void => {
    const kept = rates.get(limit.per)?.allotment;
    kept?.change(shareOf(limit));
    rates.set(limit.per, { limit, allotment: kept ?? createAllotment(shareOf(limit)) });
  };
  return {
    delay(now, isWrite) {
      let most: Delay = { ms: Number.NEGATIVE_INFINITY };
      for (const { limit, allotment } of rates.values()) {
        const ms = allotment.waitMs(now, isWrite);
        if (ms > most.ms) most = limit.source === 'key' ? { ms, budget: limit } : { ms };
      }
      return most;
    },
    claim(now) {
      for (const { allotment } of rates.values()) allotment.claim(now);
    },
    spend(until) {
      for (const { allotment } of rates.values()) allotment.spend(until);
    },
    restrict(limit) {
      const kept = rates.get(limit.per)?.limit;
      if (kept?.source !== 'key' || limit.calls < kept.calls) put({ source: 'key', ...limit });
    },
    allow(calls) {
      const kept = rates.get('minute')?.limit;
      const most = Math.max(1, Math.floor(calls * ownShare));
      if (kept?.source === 'key') return;
      if (kept?.source === 'response_header' && kept.calls === most) return;
      put({ source: 'response_header', calls: most, per: 'minute' });
    },
    inForce: () => [...rates.values()].map(({ limit }) => limit),
  };
}
