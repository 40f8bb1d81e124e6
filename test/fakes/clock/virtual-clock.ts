import type { Clock } from '../../../src/ports/clock.ts';
import { absorb } from '../invariants/checker.ts';
import { carryOut } from '../world/due-event.ts';
import type { World } from '../world/world.ts';
import type { LateCall, WorldEvent } from '../world/world-event.ts';

/** Time that passes only when everybody waits. */
export interface VirtualClock {
  /** A clock for one owner, whose sleeps can be forgotten together. */
  of(owner: string): Clock;
  /** Forgets all sleeps of an owner: they never resolve. */
  drop(owner: string): void;
  /** Calls `act` at a moment, e.g. a person's edit. Not part of the world's data. */
  at(inMs: number, act: () => void): void;
  /** Lets time pass, and whatever happens in it. */
  advance(durationMs: number): Promise<void>;
  /** When the first sleeper wakes, and when the world's next event is due. */
  next(): { readonly timer: number | undefined; readonly event: number | undefined };
  /** Lets everything go on that needs no time. */
  settle(): Promise<void>;
  /** Wakes the first sleeper, whatever the world still owes: a slow machine. */
  wakeNext(): void;
  /** Lets the world's next event happen, however late. */
  happenNext(): void;
  /** Drives time until the promise settles, or nothing can settle it any more. */
  run<T>(promise: Promise<T>, options?: RunOptions): Promise<Outcome<T>>;
}

export interface RunOptions {
  /** Ends the run as soon as it is true and nothing is runnable, e.g. after a crash. */
  readonly stop?: () => boolean;
  /** What is waited for, for the report of a dead-lock. */
  readonly waiting?: () => readonly string[];
  /** The longest time a run may take, virtually. */
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
    if (changesWhoServes(next.event)) absorb(world);
  }

  /** The world's events up to a moment; nobody's promise waits for them. */
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

/** Jobs come and go too often to ask after each of them who serves. */
function changesWhoServes({ kind }: WorldEvent): boolean {
  return !kind.startsWith('job_') && kind !== 'manager_polls' && kind !== 'stream_submits';
}

/** Resolves when every promise that can go on has gone on: a tick waits for all microtasks. */
function idle(): Promise<void> {
  return new Promise((resolve) => {
    process.nextTick(resolve);
  });
}

/** Lets Node itself have its turn, e.g. to finish an import. */
async function breathe(): Promise<void> {
  for (let round = 0; round < 3; round += 1) {
    await new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
  }
}

/** As a server tells a moment. */
export function iso(at: number): string {
  return new Date(at).toISOString();
}
