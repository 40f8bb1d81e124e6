import { type FailureKind, isPortFailure, PortFailure } from '../../../src/ports/failure.ts';
import { CallNote } from './trace.ts';

/** Call of a port's method, by which faults are chosen. */
export interface Call {
  readonly incarnation: string;
  readonly port: string;
  readonly method: string;
  readonly args: readonly unknown[];
  /** Arguments of the original call, if this call is one of its steps. */
  readonly whole?: readonly unknown[];
  /** Whether the method changes the world. */
  readonly effect: boolean;
  /** Number of the call over all incarnations, from 0. */
  readonly index: number;
  /** Number of the call in this incarnation, from 0. */
  readonly own: number;
}

export type Fault =
  /** The effect does not happen, and this incarnation receives no further response. */
  | { readonly kind: 'crash_before' }
  /** The effect happens, and this incarnation receives no further response. */
  | { readonly kind: 'crash_after' }
  | {
      readonly kind: 'error_before';
      readonly failure: FailureKind;
      readonly status?: number;
      readonly againInMs?: number;
    }
  /** The effect happens, and the response is `unreachable`. */
  | { readonly kind: 'lost_answer' }
  /** The response is `unreachable`, and the effect happens later. */
  | { readonly kind: 'late_effect'; readonly afterMs: number }
  /** The effect happens later, even without the run. With `dies`, the run gets no response. */
  | { readonly kind: 'outlived'; readonly afterMs: number; readonly dies: boolean }
  | { readonly kind: 'delay'; readonly beforeMs?: number; readonly afterMs?: number }
  /** The read shows an older value, if the port has one. */
  | { readonly kind: 'stale' }
  /** The request arrives twice, and the caller receives the first or the last response. */
  | { readonly kind: 'twice'; readonly answer: 'first' | 'last' }
  /** A tool's step fails and leaves its beginning: a partial apply. */
  | { readonly kind: 'partial' }
  /** The run's circumstances change before the call, which still happens. */
  | Disturbance;

export type Disturbance =
  /** The system refuses the run's token from now on. */
  | { readonly kind: 'token_expired' }
  | { readonly kind: 'clock_jump'; readonly byMs: number }
  /** Another run takes the lock over as stale and releases it. */
  | { readonly kind: 'lock_stale' }
  /** Another writer changes the same parameter right before the write. */
  | { readonly kind: 'foreign_write' }
  /** An incident hits every machine of the active or the inactive shard. */
  | {
      readonly kind: 'machines';
      readonly of: 'active' | 'other';
      readonly what: 'dies' | 'hangs' | 'offline';
    };

export type Intercept = (call: Call) => Fault | undefined;

/** Callbacks of the incarnation whose port calls are intercepted. */
export interface CallHooks {
  /** Numbers the call and requests a fault for it. */
  begin(site: CallSite): { call: Call; fault: Fault | undefined };
  crashed(): boolean;
  crash(): void;
  /** Waits for a fault or for latency; undefined without a wait. */
  pause(ms: number): Promise<void> | undefined;
  later(ms: number, act: () => void): void;
  /** Leaves a request in flight. */
  outlive(call: Call, afterMs: number): void;
  makeStale(): void;
  /** Triggers a disturbance. */
  disturb(call: Call, what: Disturbance): void;
  /** Decides whether the run's token is refused for this call. */
  isRefused(call: Call): boolean;
  /** Waits until a scheduler releases the call; undefined without a scheduler. */
  turn(site: CallSite): Promise<void> | undefined;
  /** Called right before the call takes effect. */
  about(call: Call): void;
  /** Returns the response from before the last effects, if the port keeps one. */
  performOlder(call: Call): Promise<unknown> | undefined;
  performed(call: Call): void;
  /** Ends the call with its response or a `CallNote`. */
  end(call: Call, answer: unknown): void;
}

export interface CallSite {
  readonly port: string;
  readonly method: string;
  readonly args: readonly unknown[];
  readonly whole?: readonly unknown[];
  readonly effect: boolean;
}

/** Returns a new promise per call: a shared one would keep every caller in memory. */
function never(): Promise<never> {
  return new Promise(() => undefined);
}

/** Performs one call with its fault. */
export async function performCall<T>(
  hooks: CallHooks,
  site: CallSite,
  perform: () => Promise<T>,
): Promise<T> {
  if (hooks.crashed()) return never();
  const turn = hooks.turn(site);
  if (turn !== undefined) await turn;
  if (hooks.crashed()) return never();
  const { call, fault } = hooks.begin(site);
  const end = (text: string) => hooks.end(call, new CallNote(text));
  if (fault?.kind === 'crash_before') return crash(hooks, () => end('crashed before'));
  if (fault !== undefined && isDisturbance(fault)) hooks.disturb(call, fault);
  const refused = refusalOf(hooks, call, fault);
  if (refused !== undefined) {
    end(`fault: ${refused.kind}`);
    throw refused;
  }
  const pauseMs = fault?.kind === 'delay' ? (fault.beforeMs ?? 0) : 0;
  const paused = hooks.pause(pauseMs);
  if (paused !== undefined) await paused;
  if (hooks.crashed()) return never();
  if (fault?.kind === 'late_effect') {
    hooks.later(fault.afterMs, () => {
      hooks.about(call);
      perform().then(
        () => hooks.performed(call),
        () => undefined,
      );
    });
    end(`fault: effect late by ${fault.afterMs} ms`);
    throw failure(call, { failure: 'unreachable', effect: 'unknown' });
  }
  if (fault?.kind === 'outlived') {
    hooks.outlive(call, fault.afterMs);
    if (fault.dies) return crash(hooks, () => end('crashed under way'));
    end(`fault: effect late by ${fault.afterMs} ms`);
    throw failure(call, { failure: 'unreachable', effect: 'unknown' });
  }
  hooks.about(call);
  return answer({ hooks, call, fault, perform: performUnder(hooks, { call, fault, perform }) });
}

function isDisturbance(fault: Fault): fault is Disturbance {
  return (
    fault.kind === 'token_expired' ||
    fault.kind === 'clock_jump' ||
    fault.kind === 'lock_stale' ||
    fault.kind === 'foreign_write' ||
    fault.kind === 'machines'
  );
}

/** Returns the error that ends the call before its effect. */
function refusalOf(
  hooks: CallHooks,
  call: Call,
  fault: Fault | undefined,
): PortFailure | undefined {
  if (fault?.kind === 'error_before') return failure(call, { ...fault, effect: 'none' });
  if (fault?.kind === 'partial') return failure(call, { failure: 'refused', effect: 'unknown' });
  return hooks.isRefused(call)
    ? failure(call, { failure: 'unauthenticated', effect: 'none', status: 401 })
    : undefined;
}

function performUnder<T>(
  hooks: CallHooks,
  request: { call: Call; fault: Fault | undefined; perform: () => Promise<T> },
): () => Promise<T> {
  const { call, fault, perform } = request;
  if (fault?.kind === 'stale') {
    const older = hooks.performOlder(call) as Promise<T> | undefined;
    if (older !== undefined) return () => older;
    hooks.makeStale();
  }
  if (fault?.kind !== 'twice') return perform;
  return async () => {
    const first = perform();
    const last = perform();
    const [one, other] = await Promise.allSettled([first, last]);
    const received = fault.answer === 'first' ? one : other;
    if (received.status === 'rejected') throw received.reason;
    return received.value;
  };
}

async function answer<T>(request: {
  hooks: CallHooks;
  call: Call;
  fault: Fault | undefined;
  perform: () => Promise<T>;
}): Promise<T> {
  const { hooks, call, fault, perform } = request;
  let value: T;
  try {
    const answering = perform();
    // Effects without delay are checked before any other call can interfere.
    if (call.effect) hooks.performed(call);
    value = await answering;
  } catch (error) {
    if (call.effect) hooks.performed(call);
    if (fault?.kind === 'crash_after')
      return crash(hooks, () => hooks.end(call, new CallNote('crashed after')));
    hooks.end(
      call,
      new CallNote(isPortFailure(error) ? `${error.kind}: ${error.detail}` : String(error)),
    );
    if (hooks.crashed()) return never();
    throw error;
  }
  if (call.effect) hooks.performed(call);
  if (hooks.crashed()) return never();
  if (fault?.kind === 'crash_after')
    return crash(hooks, () => hooks.end(call, new CallNote('crashed after')));
  if (fault?.kind === 'lost_answer') {
    hooks.end(call, new CallNote('fault: answer lost'));
    throw failure(call, { failure: 'unreachable', effect: call.effect ? 'unknown' : 'none' });
  }
  hooks.end(call, value);
  if (fault?.kind === 'delay' && fault.afterMs !== undefined) await hooks.pause(fault.afterMs);
  return hooks.crashed() ? never() : value;
}

function crash(hooks: CallHooks, note: () => void): Promise<never> {
  note();
  hooks.crash();
  return never();
}

function failure(
  call: Call,
  fault: Omit<Extract<Fault, { kind: 'error_before' }>, 'kind'> & { effect: 'none' | 'unknown' },
): PortFailure {
  return new PortFailure({
    kind: fault.failure,
    effect: fault.effect,
    source: `${call.port} ${call.method}`,
    detail: `injected: ${fault.failure}`,
    status: fault.status,
    againInMs: fault.againInMs,
  });
}
