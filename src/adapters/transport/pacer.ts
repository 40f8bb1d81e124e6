import type { Clock } from '../../ports/clock.ts';
import { isThrottled, readAllowance, readToldWait } from './answers/told-wait.ts';
import type { TransportAnswer } from './request.ts';

export interface Limits {
  readonly perMinute: number;
  /** So many go out at once after a rest. */
  readonly burst: number;
}

/** Lets calls out in the order in which they ask, never faster than the other side takes them. */
export interface Pacer {
  /**
   * Resolves when the next call may go out; rejects with the signal's reason after a cancel, and with a
   * TurnTooFar instead of a wait longer than `mostMs`. Undefined where it may go at once: a write that is
   * wanted before a cancel is sent before it.
   */
  enter(signal: AbortSignal, mostMs?: number): Promise<void> | undefined;
  /** Milliseconds until the next call may go out. */
  leftMs(): number;
  /** Once for each call that went out: what it was answered, if it was. */
  heed(answer: TransportAnswer | undefined): void;
}

/** The other side accepts the next call so late that no call waits for it. */
export class TurnTooFar extends Error {
  override readonly name = 'TurnTooFar';
  readonly waitMs: number;
  constructor(waitMs: number) {
    super(`the next call may go out in ${waitMs} ms`);
    this.waitMs = waitMs;
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
  { perMinute, burst }: Limits,
): Pacer {
  const usualMs = 60_000 / perMinute;
  let queue: Promise<unknown> = Promise.resolve();
  let queued = 0;
  let inFlight = 0;
  /** When the next call is due at an even pace. */
  let dueAt = Number.NEGATIVE_INFINITY;
  let closedUntil = Number.NEGATIVE_INFINITY;
  let rests = 0;
  /** What the other side has left for us, by its last word. */
  let told: { readonly intervalMs: number; readonly until: number } | undefined;

  function waitMs(): number {
    const now = clock.elapsed();
    if (told !== undefined && told.until <= now) told = undefined;
    // Who is told how much is left may not spend what was saved up.
    const savedMs = told === undefined ? (burst - 1) * usualMs : 0;
    return Math.max(closedUntil - now, dueAt - savedMs - now);
  }

  async function turn(signal: AbortSignal, mostMs: number): Promise<void> {
    try {
      signal.throwIfAborted();
      // Asked again after each sleep: an answer to somebody else may have closed the host meanwhile.
      for (let ms = waitMs(); ms > 0; ms = waitMs()) {
        if (ms > mostMs) throw new TurnTooFar(ms);
        await clock.sleep(ms, signal);
      }
      claim();
    } finally {
      queued -= 1;
    }
  }

  function claim(): void {
    dueAt = Math.max(dueAt, clock.elapsed()) + Math.max(usualMs, told?.intervalMs ?? 0);
    inFlight += 1;
  }

  function rest(answer: TransportAnswer): void {
    const now = clock.elapsed();
    const toldMs = readToldWait(answer.headers, clock.now());
    // Calls that were on their way already say the same once more; that is no second refusal.
    if (toldMs === undefined && closedUntil > now) return;
    rests += toldMs === undefined ? 1 : 0;
    const ms = toldMs ?? Math.min(longestRestMs, firstRestMs * 2 ** (rests - 1));
    closedUntil = Math.max(closedUntil, now + Math.min(ms, longestClosedMs));
    // Who was refused has nothing saved up.
    dueAt = Math.max(dueAt, closedUntil + (burst - 1) * usualMs);
  }

  return {
    enter(signal, mostMs = Number.POSITIVE_INFINITY) {
      if (queued === 0 && waitMs() <= 0) {
        claim();
        return undefined;
      }
      queued += 1;
      const mine = queue.then(() => turn(signal, mostMs));
      queue = mine.catch(() => undefined);
      return mine;
    },
    leftMs: waitMs,
    heed(answer) {
      inFlight = Math.max(0, inFlight - 1);
      if (answer === undefined) return;
      if (isThrottled(answer)) return rest(answer);
      if (closedUntil <= clock.elapsed()) rests = 0;
      const allowed = readAllowance(answer.headers, clock.now());
      if (allowed === undefined || allowed.remaining > allowed.limit / 2) return;
      const left = Math.max(1, allowed.remaining - inFlight);
      const resetInMs = Math.min(allowed.resetInMs, longestClosedMs);
      const intervalMs = Math.min(resetInMs / left, longestIntervalMs);
      told = { intervalMs, until: clock.elapsed() + resetInMs };
    },
  };
}
