import { type CallLimit, describeLimit } from '../../domain/call-usage.ts';
import { formatDuration } from '../../domain/text/duration.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log-event.ts';
import type { Delay } from './allotment.ts';

/** Reports to the operator which side does not respond. */
export interface SlowResponseNotice {
  /**
   * Runs `ask` and returns its response. `ask` is one request, without pauses of this process.
   * @param side name for operators: `GitLab`, `AWS`
   */
  watch<T>(side: string, send: () => Promise<T>, before?: Before): Promise<T>;
  /**
   * Waits for the turn of a call. The other side limits the rate and has not received the call yet.
   */
  turn(side: string, queued: Promise<void>, wait: TurnWait): Promise<void>;
  /**
   * Reports a slow side on behalf of a caller that polls, after `slowAfterMs` without a response.
   */
  report(side: string, waited: Waited): void;
}

export interface TurnWait {
  /** Returns the time until the next call may be sent. */
  readonly delay: () => Delay;
  /** Longest wait. A call that would wait longer is not sent, so nothing is reported. */
  readonly mostMs: number;
}

interface Before {
  readonly log?: Pick<Log, 'event'> | undefined;
  /** Time without a response so far. */
  readonly unansweredMs?: number;
}

export interface Waited {
  /** Limit for the whole wait. */
  readonly mostMs?: number;
  readonly log?: Pick<Log, 'event'> | undefined;
}

/** Time after which a response is reported as slow, above usual response times. */
export const slowAfterMs = 5000;
/**
 * Time of consecutive waits after which the rate limit is reported, even if each wait is short.
 */
const pacedAfterMs = 10_000;
/** Wait that only a limit of the other side causes, far above the usual pace. */
const slowMs = 1000;
/** Minimum time between two messages about one side. */
const pacedAgainMs = 60_000;

/**
 * Creates the notice, which reports each side once.
 * @param signal stops all reports after its abort
 * @param tell receives a whole line
 */
export function createSlowResponseNotice({
  clock,
  signal,
  report: print,
}: {
  readonly clock: Pick<Clock, 'sleep' | 'elapsed'>;
  readonly signal?: AbortSignal;
  readonly report: (line: string) => void;
}): SlowResponseNotice {
  const reported = new Set<string>();
  /** Consecutive waits for a turn, by side. */
  const rows = new Map<string, { readonly startedAt: number; readonly endedAt: number }>();
  const pacedAt = new Map<string, number>();
  function reportSlow(side: string, { mostMs, log }: Waited): void {
    if (reported.has(side) || signal?.aborted === true) return;
    reported.add(side);
    const most = mostMs === undefined ? '' : `, ${formatDuration(mostMs)} in total`;
    const since = formatDuration(slowAfterMs);
    print(`! ${side} has not responded for ${since}; still waiting${most}.\n`);
    log?.event({ kind: 'silence', side, ms: slowAfterMs });
  }
  function reportBudget(side: string, budget: CallLimit, ms: number): void {
    const limit = describeLimit(budget);
    if (reported.has(limit)) return;
    reported.add(limit);
    const next = `the next one is sent in ${formatDuration(ms)}`;
    print(`! ${limit} is used up, so calls to ${side} wait; ${next}.\n`);
  }
  return {
    report: reportSlow,
    async turn(side, queued, { delay, mostMs }) {
      const now = clock.elapsed();
      const isSlow = delay().ms >= slowMs;
      const row = rows.get(side);
      const follows = isSlow && row !== undefined && now - row.endedAt <= pacedAfterMs;
      const startedAt = follows ? row.startedAt : now;
      const nextReportAt = () => (pacedAt.get(side) ?? Number.NEGATIVE_INFINITY) + pacedAgainMs;
      const reportPaced = () => {
        const { ms, budget } = delay();
        if (signal?.aborted === true || ms > mostMs) return;
        if (budget !== undefined) return reportBudget(side, budget, ms);
        if (ms < slowMs || clock.elapsed() < nextReportAt()) return;
        pacedAt.set(side, clock.elapsed());
        print(
          `! ${side} limits the rate of calls; the next call is sent in ${formatDuration(ms)}.\n`,
        );
      };
      const over = new AbortController();
      const dueAt = Math.max(startedAt + pacedAfterMs, nextReportAt());
      clock.sleep(Math.max(0, dueAt - now), over.signal).then(reportPaced, () => {});
      try {
        await queued;
      } finally {
        over.abort();
        if (isSlow) rows.set(side, { startedAt, endedAt: clock.elapsed() });
      }
    },
    async watch(side, send, { log, unansweredMs = 0 } = {}) {
      if (reported.has(side)) return send();
      const answered = new AbortController();
      clock.sleep(Math.max(0, slowAfterMs - unansweredMs), answered.signal).then(
        () => reportSlow(side, { log }),
        () => {},
      );
      try {
        return await send();
      } finally {
        answered.abort();
      }
    },
  };
}

/**
 * Request that is repeated until a response. The pauses between attempts count as time without one.
 */
export interface Question {
  attempt<T>(send: () => Promise<T>): Promise<T>;
  /**
   * Records the result of the last attempt. A response with "unavailable" counts as a response.
   */
  answered(what: 'an answer' | 'nothing'): void;
  pause(sleep: () => Promise<void>): Promise<void>;
}

/** @param silence absent: slow responses are not reported */
export function openQuestion({
  slowNotice,
  clock,
  side,
  log,
}: {
  readonly slowNotice: SlowResponseNotice | undefined;
  readonly clock: Pick<Clock, 'elapsed'>;
  readonly side: string;
  readonly log?: Pick<Log, 'event'> | undefined;
}): Question {
  let sentAtMs = 0;
  let unansweredSinceMs: number | undefined;
  const over = <T>(body: () => Promise<T>): Promise<T> => {
    const unansweredMs = unansweredSinceMs === undefined ? 0 : clock.elapsed() - unansweredSinceMs;
    return slowNotice === undefined ? body() : slowNotice.watch(side, body, { log, unansweredMs });
  };
  return {
    attempt(send) {
      sentAtMs = clock.elapsed();
      return over(send);
    },
    answered(what) {
      unansweredSinceMs = what === 'nothing' ? (unansweredSinceMs ?? sentAtMs) : undefined;
    },
    pause: (sleep) => (unansweredSinceMs === undefined ? sleep() : over(sleep)),
  };
}
