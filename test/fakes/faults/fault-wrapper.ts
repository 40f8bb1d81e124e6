import { type FailureKind, isPortFailure, PortFailure } from '../../../src/ports/failure.ts';
import { CallNote } from './trace.ts';

/** One call of one port's method, as faults are chosen by. */
export interface Call {
  readonly incarnation: string;
  readonly port: string;
  readonly method: string;
  readonly args: readonly unknown[];
  /** What was asked for, where the call is one step of it. */
  readonly whole?: readonly unknown[];
  /** Whether the method changes the world. */
  readonly effect: boolean;
  /** Counts from 0 over all incarnations. */
  readonly index: number;
  /** Counts from 0 in this incarnation. */
  readonly own: number;
}

export type Fault =
  /** Nothing happens, and this incarnation never hears of anything again. */
  | { readonly kind: 'crash_before' }
  /** It happens, and this incarnation never hears of anything again. */
  | { readonly kind: 'crash_after' }
  | {
      readonly kind: 'error_before';
      readonly failure: FailureKind;
      readonly status?: number;
      readonly againInMs?: number;
    }
  /** It happens; the answer says `unreachable`. */
  | { readonly kind: 'lost_answer' }
  /** The answer says `unreachable`; it happens later. */
  | { readonly kind: 'late_effect'; readonly afterMs: number }
  /** The same, whatever becomes of the run; `dies`: it hears of nothing any more. */
  | { readonly kind: 'outlived'; readonly afterMs: number; readonly dies: boolean }
  | { readonly kind: 'delay'; readonly beforeMs?: number; readonly afterMs?: number }
  /** The read shows an older value, where the port has one. */
  | { readonly kind: 'stale' }
  /** The request arrives twice; the first or the last answer is heard. */
  | { readonly kind: 'twice'; readonly answer: 'first' | 'last' }
  /** A tool's step fails and leaves what it had begun: a partial apply. */
  | { readonly kind: 'partial' }
  /** Something about the run changes before the call, which is carried out all the same. */
  | Disturbance;

export type Disturbance =
  /** From now on this system refuses the run's token. */
  | { readonly kind: 'token_expired' }
  | { readonly kind: 'clock_jump'; readonly byMs: number }
  /** Somebody who holds it for stale has taken the lock over, and left it. */
  | { readonly kind: 'lock_stale' }
  /** Somebody else writes the same parameter right before. */
  | { readonly kind: 'foreign_write' }
  /** Something happens to every machine of the shard that is active, or of the other one. */
  | {
      readonly kind: 'machines';
      readonly of: 'active' | 'other';
      readonly what: 'dies' | 'hangs' | 'offline';
    };

export type Intercept = (call: Call) => Fault | undefined;

/** What the seam needs of the incarnation whose calls pass it. */
export interface SeamHooks {
  /** Numbers the call and asks for a fault. */
  begin(site: CallSite): { call: Call; fault: Fault | undefined };
  crashed(): boolean;
  crash(): void;
  /** Real waiting of a fault or of latency; undefined where there is none. */
  pause(ms: number): Promise<void> | undefined;
  later(ms: number, act: () => void): void;
  /** Leaves a request under way. */
  outlive(call: Call, afterMs: number): void;
  makeStale(): void;
  /** Carries a disturbance out. */
  disturb(call: Call, what: Disturbance): void;
  /** Whether the run's token is refused for this call. */
  isRefused(call: Call): boolean;
  /** Waits until a scheduler lets the call go on; undefined where there is none. */
  turn(site: CallSite): Promise<void> | undefined;
  /** Right before the call takes effect. */
  about(call: Call): void;
  /** What the call would have answered before the last effects, where that is kept. */
  performOlder(call: Call): Promise<unknown> | undefined;
  performed(call: Call): void;
  /** With the answer, or a `CallNote`. */
  end(call: Call, answer: unknown): void;
}

export interface CallSite {
  readonly port: string;
  readonly method: string;
  readonly args: readonly unknown[];
  readonly whole?: readonly unknown[];
  readonly effect: boolean;
}

/** One for each call: whoever waits for a shared one would be kept in memory by it for ever. */
function never(): Promise<never> {
  return new Promise(() => undefined);
}

/** Carries out one call, under whatever fault it is given. */
export async function passSeam<T>(
  hooks: SeamHooks,
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

/** The error that the call ends in before it takes effect. */
function refusalOf(
  hooks: SeamHooks,
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
  hooks: SeamHooks,
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
    const heard = fault.answer === 'first' ? one : other;
    if (heard.status === 'rejected') throw heard.reason;
    return heard.value;
  };
}

async function answer<T>(request: {
  hooks: SeamHooks;
  call: Call;
  fault: Fault | undefined;
  perform: () => Promise<T>;
}): Promise<T> {
  const { hooks, call, fault, perform } = request;
  let value: T;
  try {
    const answering = perform();
    // What happened at once is looked at before anybody else's call can come in between.
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

function crash(hooks: SeamHooks, note: () => void): Promise<never> {
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
