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
  /** Longest wait in the queue. A call that would wait longer is refused. */
  readonly mostMs?: number;
  /**
   * Whether the call is a write. Writes take precedence over waiting reads and may use the reserve.
   */
  readonly isWrite?: boolean;
}

/** Queue that releases calls in order, writes first, and never exceeds the other side's limits. */
export interface Pacer {
  /**
   * Resolves when the call may be sent. Rejects with the signal's reason after a cancel, and with a
   * TurnTooFar instead of a wait longer than `mostMs`. Undefined if the call may be sent at once: a
   * write before a cancel is then sent before it.
   */
  enter(signal: AbortSignal, turn?: Turn): Promise<void> | undefined;
  /** Returns the time until the next call of this kind may be sent. */
  delay(isWrite: boolean): Delay;
  /** Applies this budget from now on, unless a smaller one of the same period is in force. */
  restrict(limit: CallLimit): void;
  limits(): readonly LimitInForce[];
  /** Records the response to a call, or undefined without one. Called once per sent call. */
  note(answer: TransportAnswer | undefined): void;
}

/** Error of a call whose turn comes later than it may wait. */
export class TurnTooFar extends Error {
  override readonly name = 'TurnTooFar';
  readonly delay: Delay;
  /** Time that the call has spent in the queue. */
  readonly waitedMs: number;
  constructor(delay: Delay, waitedMs: number) {
    super(`the next call may go out in ${delay.ms} ms`);
    this.delay = delay;
    this.waitedMs = waitedMs;
  }
}

/** First pause for a host that throttles without a wait time. It doubles with each refusal. */
const firstRestMs = 1000;
const longestRestMs = 60_000;
/**
 * GitHub's longest period. A longer requested wait may be a mistake, so the host is queried after
 * this time.
 */
const longestClosedMs = 60 * 60_000;
/**
 * Longest interval between two calls if few remain. A slower pace saves nothing: a check needs a
 * dozen calls, and its first results would be out of date at the end.
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
  /** Pace for the remaining calls of the newest response. It delays only reads. */
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
    // The delay is computed again after each sleep: a response to another call may have closed the
    // host.
    for (let wait = delay(isWrite); wait.ms > 0; wait = delay(isWrite)) {
      // The sum counts: each wait may be short, but a call behind many others would wait for hours.
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
    // Calls that were already in flight repeat the refusal. It counts once.
    if (reportedMs === undefined && closedUntil > now) return;
    rests += reportedMs === undefined ? 1 : 0;
    const ms = reportedMs ?? Math.min(longestRestMs, firstRestMs * 2 ** (rests - 1));
    closedUntil = Math.max(closedUntil, now + Math.min(ms, longestClosedMs));
    // After a refusal, no calls are saved up.
    rates.spend(closedUntil);
  }

  function spread(allowed: Allowance): void {
    const now = clock.elapsed();
    const { resetInMs, reads, intervalMs } = shareRemaining(allowed, inFlight);
    if (allowed.remaining === 0 && allowed.isOfAll)
      closedUntil = Math.max(closedUntil, now + resetInMs);
    readPace = { intervalMs, until: now + resetInMs };
    // The last call is reserved for a write.
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

/** Creates the queues. A read waits for earlier writes; a write waits only for writes. */
function createQueues() {
  const reads = createQueue();
  const writes = createQueue();
  return {
    isFirst: (isWrite: boolean) => writes.length() === 0 && (isWrite || reads.length() === 0),
    add: (isWrite: boolean, work: () => Promise<void>) => (isWrite ? writes : reads).add(work),
  };
}

/** Creates a queue that runs its work in order, one at a time. */
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
