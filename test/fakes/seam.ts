import { type FailureKind, isPortFailure, PortFailure } from '../../src/ports/failure.ts';
import { CallNote } from './trace.ts';

/** One call of one port's method, as faults are chosen by. */
export interface Call {
  readonly incarnation: string;
  readonly port: string;
  readonly method: string;
  readonly args: readonly unknown[];
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
  | { readonly kind: 'error_before'; readonly failure: FailureKind; readonly status?: number }
  /** It happens; the answer says `unreachable`. */
  | { readonly kind: 'lost_answer' }
  /** The answer says `unreachable`; it happens later. */
  | { readonly kind: 'late_effect'; readonly afterMs: number }
  | { readonly kind: 'delay'; readonly beforeMs?: number; readonly afterMs?: number }
  /** The read shows an older value, where the port has one. */
  | { readonly kind: 'stale' };

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
  makeStale(): void;
  performed(call: Call): void;
  /** With the answer, or a `CallNote`. */
  end(call: Call, answer: unknown): void;
}

export interface CallSite {
  readonly port: string;
  readonly method: string;
  readonly args: readonly unknown[];
  readonly effect: boolean;
}

const never = new Promise<never>(() => undefined);

/** Carries out one call, under whatever fault it is given. */
export async function passSeam<T>(
  hooks: SeamHooks,
  site: CallSite,
  perform: () => Promise<T>,
): Promise<T> {
  if (hooks.crashed()) return never;
  const { call, fault } = hooks.begin(site);
  const end = (text: string) => hooks.end(call, new CallNote(text));
  if (fault?.kind === 'crash_before') return crash(hooks, () => end('crashed before'));
  if (fault?.kind === 'error_before') {
    end(`fault: ${fault.failure}`);
    throw failure(call, { ...fault, effect: 'none' });
  }
  const pauseMs = fault?.kind === 'delay' ? (fault.beforeMs ?? 0) : 0;
  const paused = hooks.pause(pauseMs);
  if (paused !== undefined) await paused;
  if (hooks.crashed()) return never;
  if (fault?.kind === 'late_effect') {
    hooks.later(fault.afterMs, () => {
      perform().then(
        () => hooks.performed(call),
        () => undefined,
      );
    });
    end(`fault: effect late by ${fault.afterMs} ms`);
    throw failure(call, { failure: 'unreachable', effect: 'unknown' });
  }
  if (fault?.kind === 'stale') hooks.makeStale();
  return answer({ hooks, call, fault, perform });
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
    value = await perform();
  } catch (error) {
    if (call.effect) hooks.performed(call);
    if (fault?.kind === 'crash_after')
      return crash(hooks, () => hooks.end(call, new CallNote('crashed after')));
    hooks.end(
      call,
      new CallNote(isPortFailure(error) ? `${error.kind}: ${error.detail}` : String(error)),
    );
    if (hooks.crashed()) return never;
    throw error;
  }
  if (call.effect) hooks.performed(call);
  if (hooks.crashed()) return never;
  if (fault?.kind === 'crash_after')
    return crash(hooks, () => hooks.end(call, new CallNote('crashed after')));
  if (fault?.kind === 'lost_answer') {
    hooks.end(call, new CallNote('fault: answer lost'));
    throw failure(call, { failure: 'unreachable', effect: call.effect ? 'unknown' : 'none' });
  }
  hooks.end(call, value);
  if (fault?.kind === 'delay' && fault.afterMs !== undefined) await hooks.pause(fault.afterMs);
  return hooks.crashed() ? never : value;
}

function crash(hooks: SeamHooks, note: () => void): Promise<never> {
  note();
  hooks.crash();
  return never;
}

function failure(
  call: Call,
  fault: { failure: FailureKind; status?: number; effect: 'none' | 'unknown' },
): PortFailure {
  return new PortFailure({
    kind: fault.failure,
    effect: fault.effect,
    source: `${call.port} ${call.method}`,
    detail: `injected: ${fault.failure}`,
    ...(fault.status === undefined ? {} : { status: fault.status }),
  });
}
