import type { Clock } from '../../../src/ports/clock.ts';
import { absorb } from '../invariants/checker.ts';
import { carryOut } from '../world/due-event.ts';
import type { World } from '../world/world.ts';
import type { LateCall, WorldEvent } from '../world/world-event.ts';

/** Clock whose time passes only when all runs wait. */
export interface VirtualClock {
  /** Returns a clock for one owner, whose sleeps can be dropped together. */
  of(owner: string): Clock;
  /** Drops all sleeps of an owner, which then never resolve. */
  drop(owner: string): void;
  /** Schedules `act`, for example an operator's edit. The call is not part of the world's data. */
  at(inMs: number, act: () => void): void;
  /** Lets time pass with all its events. */
  advance(durationMs: number): Promise<void>;
  /** Returns when the first sleeper wakes and when the world's next event is due. */
  next(): { readonly timer: number | undefined; readonly event: number | undefined };
  /** Runs everything that can continue without a passage of time. */
  settle(): Promise<void>;
  /** Wakes the first sleeper before the world's earlier events, like on a slow machine. */
  wakeNext(): void;
  /** Triggers the world's next event, however late. */
  happenNext(): void;
  /** Drives time until the promise settles or nothing can settle it. */
  run<T>(promise: Promise<T>, options?: RunOptions): Promise<Outcome<T>>;
}

export interface RunOptions {
  /** Ends the run when it returns true and nothing can run, e.g. after a crash. */
  readonly stop?: () => boolean;
  /** Descriptions of the pending waits, for the report of a deadlock. */
  readonly waiting?: () => readonly string[];
  /** Maximum virtual duration of a run. */
  readonly limitMs?: number;
}

export type Outcome<T> =
  | { readonly kind: 'returned'; readonly value: T }
  | { readonly kind: 'threw'; readonly error: unknown }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'deadlock'; readonly waiting: readonly string[] }
  | { readonly kind: 'too_long'; readonly waiting: readonly string[] };

interface Timer {
  readonly at: number;
  readonly order: number;
  readonly owner: string;
  readonly fire: () => void;
}

const day = 86_400_000;

export function createVirtualClock(
  world: World,
  arrive: (late: LateCall) => void = () => undefined,
): VirtualClock {
  const startedAt = world.now;
  let timers: Timer[] = [];
  let order = 0;

  function add(owner: string, inMs: number, fire: () => void): Timer {
    order += 1;
    const timer = { at: world.now + Math.max(0, inMs), order, owner, fire };
    let index = timers.length;
    while (index > 0 && (timers[index - 1]?.at ?? 0) > timer.at) index -= 1;
    timers.splice(index, 0, timer);
    return timer;
  }

  function happenOnce(): void {
    const next = world.events.shift();
    if (next === undefined) return;
    world.now = Math.max(world.now, next.at);
    carryOut(world, next.event, arrive);
    if (canAffectService(next.event)) absorb(world);
  }

  /** Runs the world's events up to a time. The product's promises are not awaited. */
  function happen(until: number): void {
    while ((world.events[0]?.at ?? Number.POSITIVE_INFINITY) <= until) happenOnce();
    world.now = Math.max(world.now, until);
  }

  function fireNext(timer: Timer): void {
    happen(timer.at);
    timers.splice(timers.indexOf(timer), 1);
    timer.fire();
  }

  return {
    of: (owner) => ({
      now: () => world.now + world.skewMs,
      elapsed: () => world.now - startedAt,
      sleep: (durationMs, signal) =>
        new Promise<void>((resolve, reject) => {
          if (signal?.aborted) {
            reject(signal.reason);
            return;
          }
          const abort = () => {
            timers = timers.filter((one) => one !== timer);
            reject(signal?.reason);
          };
          const timer = add(owner, durationMs, () => {
            signal?.removeEventListener('abort', abort);
            resolve();
          });
          signal?.addEventListener('abort', abort, { once: true });
        }),
    }),
    drop(owner) {
      timers = timers.filter((timer) => timer.owner !== owner);
    },
    at(inMs, act) {
      add('', inMs, act);
    },
    next: () => ({ timer: timers[0]?.at, event: world.events[0]?.at }),
    settle: idle,
    wakeNext() {
      const timer = timers.shift();
      if (timer === undefined) return;
      world.now = Math.max(world.now, timer.at);
      timer.fire();
    },
    happenNext: happenOnce,
    async advance(durationMs) {
      const until = world.now + durationMs;
      await idle();
      for (let next = timers[0]; next !== undefined && next.at <= until; next = timers[0]) {
        fireNext(next);
        await idle();
      }
      happen(until);
    },
    async run<T>(promise: Promise<T>, options: RunOptions = {}): Promise<Outcome<T>> {
      const { stop = () => false, waiting = () => [], limitMs = 30 * day } = options;
      const until = world.now + limitMs;
      let outcome: Outcome<T> | undefined;
      promise.then(
        (value) => {
          outcome = { kind: 'returned', value };
        },
        (error: unknown) => {
          outcome = { kind: 'threw', error };
        },
      );
      for (;;) {
        await idle();
        if (outcome !== undefined) return outcome;
        if (stop()) return { kind: 'stopped' };
        if (timers.length === 0) await breathe();
        if (outcome !== undefined) return outcome;
        if (stop()) return { kind: 'stopped' };
        const next = timers[0];
        if (next === undefined) return { kind: 'deadlock', waiting: waiting() };
        if (next.at > until) return { kind: 'too_long', waiting: waiting() };
        fireNext(next);
      }
    },
  };
}

/**
 * Excludes job events: they are too frequent to check after each of them which shard accepts jobs.
 */
function canAffectService({ kind }: WorldEvent): boolean {
  return !kind.startsWith('job_') && kind !== 'manager_polls' && kind !== 'stream_submits';
}

/** Resolves when every runnable promise has continued: a tick waits for all microtasks. */
function idle(): Promise<void> {
  return new Promise((resolve) => {
    process.nextTick(resolve);
  });
}

/** Lets Node run its own work, e.g. the end of an import. */
async function breathe(): Promise<void> {
  for (let round = 0; round < 3; round += 1) {
    await new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
  }
}

/** Formats a time as a server does. */
export function iso(at: number): string {
  return new Date(at).toISOString();
}
