import { type CallLimit, describeLimit } from '../../domain/call-usage.ts';
import { formatDuration } from '../../domain/text/duration.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log-event.ts';
import type { Delay } from './allotment.ts';

/** Tells whoever waits at a command which side it is that does not answer. */
export interface SlowResponseNotice {
  /**
   * Passes the answer on. `ask` is one question: our own waits between questions are nobody's silence.
   * @param side as a person calls it: `GitLab`, `AWS`
   */
  watch<T>(side: string, ask: () => Promise<T>, before?: Before): Promise<T>;
  /** Waits for the turn of a call: the other side limits how many it takes, and has not been asked. */
  turn(side: string, queued: Promise<void>, wait: TurnWait): Promise<void>;
  /** The same from whoever looks again and again, and has seen for `slowAfterMs` that nobody answers. */
  tell(side: string, waited: Waited): void;
}

export interface TurnWait {
  /** Until the next call may go out. */
  readonly delay: () => Delay;
  /** A call that has to wait longer is not sent, so no line announces it. */
  readonly mostMs: number;
}

interface Before {
  readonly log?: Pick<Log, 'event'> | undefined;
  /** How long nobody has answered already. */
  readonly unansweredMs?: number;
}

export interface Waited {
  /** How long it is waited for in all. */
  readonly mostMs?: number;
  readonly log?: Pick<Log, 'event'> | undefined;
}

/** Longer than an answer takes, and shorter than a person believes in it. */
export const slowAfterMs = 5000;
/** Calls that waited so long in a row, each perhaps for less, look like a hang. */
const pacedAfterMs = 10_000;
/** Far above our own usual pace: only a limit of the other side makes the next call wait so long. */
const slowMs = 1000;
/** Between two messages about one side. */
const pacedAgainMs = 60_000;

/**
 * Says it once for each side: whoever reads it knows from then on what is waited for.
 * @param signal after it nobody waits any more, and nothing is said
 * @param tell gets a whole line
 */
export function createSlowResponseNotice({
  clock,
  signal,
  tell,
}: {
  readonly clock: Pick<Clock, 'sleep' | 'elapsed'>;
  readonly signal?: AbortSignal;
  readonly tell: (line: string) => void;
}): SlowResponseNotice {
  const reported = new Set<string>();
  /** Waits for a turn that follow each other, by side. */
  const rows = new Map<string, { readonly startedAt: number; readonly endedAt: number }>();
  const pacedAt = new Map<string, number>();
  function say(side: string, { mostMs, log }: Waited): void {
    if (reported.has(side) || signal?.aborted === true) return;
    reported.add(side);
    const most = mostMs === undefined ? '' : `, ${formatDuration(mostMs)} in all`;
    const since = formatDuration(slowAfterMs);
    tell(`! ${side} has not answered for ${since}; it is still waited for${most}.\n`);
    log?.event({ kind: 'silence', side, ms: slowAfterMs });
  }
  function reportBudget(side: string, budget: CallLimit, ms: number): void {
    const limit = describeLimit(budget);
    if (reported.has(limit)) return;
    reported.add(limit);
    const next = `the next one is sent in ${formatDuration(ms)}`;
    tell(`! ${limit} is used up, so calls to ${side} wait for their turn; ${next}.\n`);
  }
  return {
    tell: say,
    async turn(side, queued, { delay, mostMs }) {
      const now = clock.elapsed();
      const isSlow = delay().ms >= slowMs;
      const row = rows.get(side);
      const follows = isSlow && row !== undefined && now - row.endedAt <= pacedAfterMs;
      const startedAt = follows ? row.startedAt : now;
      const mayTellAt = () => (pacedAt.get(side) ?? Number.NEGATIVE_INFINITY) + pacedAgainMs;
      const reportPaced = () => {
        const { ms, budget } = delay();
        if (signal?.aborted === true || ms > mostMs) return;
        if (budget !== undefined) return reportBudget(side, budget, ms);
        if (ms < slowMs || clock.elapsed() < mayTellAt()) return;
        pacedAt.set(side, clock.elapsed());
        tell(
          `! ${side} limits the rate of calls; the next call is sent in ${formatDuration(ms)}.\n`,
        );
      };
      const over = new AbortController();
      const dueAt = Math.max(startedAt + pacedAfterMs, mayTellAt());
      clock.sleep(Math.max(0, dueAt - now), over.signal).then(reportPaced, () => {});
      try {
        await queued;
      } finally {
        over.abort();
        if (isSlow) rows.set(side, { startedAt, endedAt: clock.elapsed() });
      }
    },
    async watch(side, ask, { log, unansweredMs = 0 } = {}) {
      if (reported.has(side)) return ask();
      const answered = new AbortController();
      clock.sleep(Math.max(0, slowAfterMs - unansweredMs), answered.signal).then(
        () => say(side, { log }),
        () => {},
      );
      try {
        return await ask();
      } finally {
        answered.abort();
      }
    },
  };
}

/** One question, asked again where nobody answers: the pauses in between are a part of that silence. */
export interface Question {
  attempt<T>(ask: () => Promise<T>): Promise<T>;
  /** What became of the last attempt. An answer that it cannot answer now is one. */
  answered(what: 'an answer' | 'nothing'): void;
  pause(sleep: () => Promise<void>): Promise<void>;
}

/** @param silence nobody is told where it is absent */
export function openQuestion({
  silence,
  clock,
  side,
  log,
}: {
  readonly silence: SlowResponseNotice | undefined;
  readonly clock: Pick<Clock, 'elapsed'>;
  readonly side: string;
  readonly log?: Pick<Log, 'event'> | undefined;
}): Question {
  let sentAtMs = 0;
  let unansweredSinceMs: number | undefined;
  const over = <T>(body: () => Promise<T>): Promise<T> => {
    const unansweredMs = unansweredSinceMs === undefined ? 0 : clock.elapsed() - unansweredSinceMs;
    return silence === undefined ? body() : silence.watch(side, body, { log, unansweredMs });
  };
  return {
    attempt(ask) {
      sentAtMs = clock.elapsed();
      return over(ask);
    },
    answered(what) {
      unansweredSinceMs = what === 'nothing' ? (unansweredSinceMs ?? sentAtMs) : undefined;
    },
    pause: (sleep) => (unansweredSinceMs === undefined ? sleep() : over(sleep)),
  };
}
