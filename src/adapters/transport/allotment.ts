import type { CallLimit, CallPeriod, LimitInForce } from '../../domain/call-usage.ts';

/** The limit of a minute, if neither a key nor a response sets another one. */
export interface Limits {
  readonly perMinute: number;
  /** So many go out at once after a rest. */
  readonly burst: number;
}

export interface Delay {
  readonly ms: number;
  /** The key's budget that the call waits for; absent if it waits for the other side. */
  readonly budget?: CallLimit;
}

/** How the calls of one period are spread over it. */
interface Share {
  readonly intervalMs: number;
  /** So many ordinary calls go out at once after a rest. */
  readonly burst: number;
  /** So many more go out at once if each of them is a write. */
  readonly reserve: number;
}

/** Of what the other side allows; the rest is left to other users of the token. */
export const ownShare = 0.9;

const periods: Readonly<Record<CallPeriod, number>> = { minute: 60_000, hour: 3_600_000 };

/** Of a budget, for reads that go out at once after a rest; the same again is kept for writes. */
const atOnce = 0.05;

/**
 * At most `calls` in each period, wherever the period begins. A twentieth is kept for writes: a runner
 * that has to be paused or unpaused does not wait behind a thousand checks.
 */
function shareOf({ calls, per }: Pick<CallLimit, 'calls' | 'per'>): Share {
  const burst = Math.max(1, Math.floor(calls * atOnce));
  const reserve = Math.min(Math.ceil(calls * atOnce), calls - burst);
  // A whole burst may stand at the beginning of a period, and an even row of calls behind it.
  return { intervalMs: periods[per] / (calls - burst - reserve + 1), burst, reserve };
}

/** Counts calls against one share. */
interface Allotment {
  waitMs(now: number, isWrite: boolean): number;
  claim(now: number): void;
  /** Takes what was saved up, except the reserve of the writes: the next read is due then. */
  spend(until: number): void;
  /** The calls that went out before count against the new share. */
  change(share: Share): void;
}

function createAllotment(first: Share): Allotment {
  let share = first;
  /** When the next call is due at an even pace. */
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

/** The limits of each period: a key's, else what responses report for a minute, else the default. */
export interface Rates {
  delay(now: number, isWrite: boolean): Delay;
  claim(now: number): void;
  spend(until: number): void;
  restrict(limit: CallLimit): void;
  /** What the other side accepts in a minute, from all users of the token together. */
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
