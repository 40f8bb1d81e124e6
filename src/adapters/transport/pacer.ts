import type { CallLimit, LimitInForce } from '../../domain/call-usage.ts';
import type { Clock } from '../../ports/clock.ts';
import { type Delay, type Limits, openRates, ownShare } from './allotment.ts';
import {
  type Allowance,
  isThrottled,
  parseRetryAfter,
  readAllowance,
} from './answers/retry-after.ts';
import type { TransportAnswer } from './request.ts';

interface Turn {
  /** A call that would be in the queue for longer is refused. */
  readonly mostMs?: number;
  /** It goes before reads that wait, and may use what is kept for writes. */
  readonly isWrite?: boolean;
}

/** Lets calls out in the order in which they ask, writes first, never faster than the other side takes them. */
export interface Pacer {
  /**
   * Resolves when the next call may go out; rejects with the signal's reason after a cancel, and with a
   * TurnTooFar instead of a wait longer than `mostMs`. Undefined where it may go at once: a write that is
   * wanted before a cancel is sent before it.
   */
  enter(signal: AbortSignal, turn?: Turn): Promise<void> | undefined;
  /** Until the next such call may go out. */
  delay(isWrite: boolean): Delay;
  /** Obeys this budget from now on, unless a smaller one of the same period is in force. */
  restrict(limit: CallLimit): void;
  limits(): readonly LimitInForce[];
  /** Once for each call that went out: what it was answered, if it was. */
  note(answer: TransportAnswer | undefined): void;
}

/** The next call may go out so late that no call waits for it. */
export class TurnTooFar extends Error {
  override readonly name = 'TurnTooFar';
  readonly delay: Delay;
  /** The time that the call has spent in the queue. */
  readonly waitedMs: number;
  constructor(delay: Delay, waitedMs: number) {
    super(`the next call may go out in ${delay.ms} ms`);
    this.delay = delay;
    this.waitedMs = waitedMs;
  }
}

/** A host that throttles and does not say for how long is left alone for this, and twice as long each time. */
const firstRestMs = 1000;
const longestRestMs = 60_000;
/** GitHub's longest period. Whoever asks for more is asked again then, because it may be a mistake. */
const longestClosedMs = 60 * 60_000;
/**
 * Between two calls where few are left. A slower pace saves nothing: a check needs a dozen calls, and
 * would find what it began with out of date.
 */
const longestIntervalMs = 10_000;

export function createPacer(
  clock: Pick<Clock, 'now' | 'elapsed' | 'sleep'>,
  limits: Limits,
): Pacer {
  const queues = createQueues();
  const rates = openRates(limits);
  let inFlight = 0;
  let closedUntil = Number.NEGATIVE_INFINITY;
  let rests = 0;
  /** What the other side has left for us, by its newest response. It holds back reads only. */
  let readPace: { readonly intervalMs: number; readonly until: number } | undefined;
  let nextReadAt = Number.NEGATIVE_INFINITY;

  function delay(isWrite: boolean): Delay {
    const now = clock.elapsed();
    if (readPace !== undefined && readPace.until <= now) readPace = undefined;
    const isSpread = readPace !== undefined && !isWrite;
    const ms = Math.max(closedUntil - now, isSpread ? nextReadAt - now : 0);
    const own = rates.delay(now, isWrite);
    return own.ms > ms ? own : { ms };
  }

  async function turn(signal: AbortSignal, { mostMs, isWrite }: Required<Turn>, since: number) {
    signal.throwIfAborted();
    // Asked again after each sleep: an answer to somebody else may have closed the host meanwhile.
    for (let wait = delay(isWrite); wait.ms > 0; wait = delay(isWrite)) {
      // Each wait may be short, and a call behind many others would still wait for hours.
      const waitedMs = clock.elapsed() - since;
      if (waitedMs + wait.ms > mostMs) throw new TurnTooFar(wait, waitedMs);
      await clock.sleep(wait.ms, signal);
    }
    claim(isWrite);
  }

  function claim(isWrite: boolean): void {
    const now = clock.elapsed();
    rates.claim(now);
    if (readPace !== undefined && !isWrite)
      nextReadAt = Math.max(nextReadAt, now) + readPace.intervalMs;
    inFlight += 1;
  }

  function rest(answer: TransportAnswer): void {
    const now = clock.elapsed();
    const reportedMs = parseRetryAfter(answer.headers, clock.now());
    // Calls that were on their way already say the same once more; that is no second refusal.
    if (reportedMs === undefined && closedUntil > now) return;
    rests += reportedMs === undefined ? 1 : 0;
    const ms = reportedMs ?? Math.min(longestRestMs, firstRestMs * 2 ** (rests - 1));
    closedUntil = Math.max(closedUntil, now + Math.min(ms, longestClosedMs));
    // Who was refused has nothing saved up.
    rates.spend(closedUntil);
  }

  function spread(allowed: Allowance): void {
    const now = clock.elapsed();
    const { resetInMs, reads, intervalMs } = shareRemaining(allowed, inFlight);
    if (allowed.remaining === 0 && allowed.isOfAll)
      closedUntil = Math.max(closedUntil, now + resetInMs);
    readPace = { intervalMs, until: now + resetInMs };
    // The last call is a write's.
    if (reads === 0 && allowed.isOfAll) nextReadAt = Math.max(nextReadAt, readPace.until);
  }

  return {
    enter(signal, { mostMs = Number.POSITIVE_INFINITY, isWrite = false } = {}) {
      if (queues.isFirst(isWrite) && delay(isWrite).ms <= 0) {
        claim(isWrite);
        return undefined;
      }
      const since = clock.elapsed();
      return queues.add(isWrite, () => turn(signal, { mostMs, isWrite }, since));
    },
    delay,
    restrict: rates.restrict,
    limits: rates.inForce,
    note(answer) {
      inFlight = Math.max(0, inFlight - 1);
      if (answer === undefined) return;
      if (isThrottled(answer)) return rest(answer);
      if (closedUntil <= clock.elapsed()) rests = 0;
      const allowed = readAllowance(answer.headers, clock.now());
      if (allowed?.isOfMinute) rates.allow(allowed.limit);
      if (allowed !== undefined && allowed.remaining <= allowed.limit / 2) spread(allowed);
    },
  };
}

function shareRemaining({ remaining, resetInMs: resetMs }: Allowance, inFlight: number) {
  const resetInMs = Math.min(resetMs, longestClosedMs);
  const reads = Math.floor(remaining * ownShare);
  const intervalMs = Math.min(resetInMs / Math.max(1, reads - inFlight), longestIntervalMs);
  return { resetInMs, reads, intervalMs };
}

/** Reads wait for writes that came before them; a write waits for writes only. */
function createQueues() {
  const reads = createQueue();
  const writes = createQueue();
  return {
    isFirst: (isWrite: boolean) => writes.length() === 0 && (isWrite || reads.length() === 0),
    add: (isWrite: boolean, work: () => Promise<void>) => (isWrite ? writes : reads).add(work),
  };
}

/** One after the other, in the order in which they came. */
function createQueue() {
  let last: Promise<unknown> = Promise.resolve();
  let length = 0;
  return {
    length: () => length,
    add(work: () => Promise<void>): Promise<void> {
      length += 1;
      const mine = last.then(work).finally(() => {
        length -= 1;
      });
      last = mine.catch(() => undefined);
      return mine;
    },
  };
}
