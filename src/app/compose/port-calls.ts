import { setMaxListeners } from 'node:events';
import { cancelled } from '../../errors/external-errors.ts';
import { cancelGraceMs, isStream } from '../../ports/effect.ts';
import type { Log } from '../../ports/log-event.ts';
import { type NamedMethod, type PortMethod, type Ports, wrapMethods } from '../../ports/ports.ts';
import { createRecorder } from '../../report/event-file/call-events.ts';
import { untilCancelled, untilGrace } from './cancellation.ts';

export interface CallOptions {
  readonly signal: AbortSignal;
  readonly stage: string;
  /** Command that resumes the run after a cancel. */
  readonly again: string;
  /** Gives an adapter the signal of its current call; absent if no adapter needs it. */
  readonly scope?: { run<Answer>(signal: AbortSignal, step: () => Answer): Answer };
  /** Log that gets an event for each call and before each effect; absent without events. */
  readonly log?: Pick<Log, 'event'> | undefined;
}

/** All port calls of one run. */
export interface PortCalls {
  /** Returns the ports in two versions: `uncancelable` still works after a cancel. */
  around(ports: Ports): { readonly cancelable: Ports; readonly uncancelable: Ports };
  /** Returns the number of effects that the cancelable ports have begun. */
  effects(): number;
  /**
   * Ends calls whose result is no longer needed. A host's response may take minutes and would keep
   * the process alive.
   */
  end(): void;
}

export function openCalls({ signal, stage, again, scope, log }: CallOptions): PortCalls {
  const cancellation = { signal, error: () => cancelled(stage, again) };
  const ending = new AbortController();
  // All parallel calls listen to this signal.
  setMaxListeners(0, ending.signal);
  const record = log && createRecorder(log);
  let effects = 0;

  function wrapCall(method: PortMethod, named: NamedMethod, until: AbortSignal): PortMethod {
    const within = scope ? callWithin(method, (step) => scope.run(until, step)) : method;
    return record ? record(within, named) : within;
  }

  function cancelable(method: PortMethod, named: NamedMethod): PortMethod {
    const { effect } = named;
    if (effect === 'remembers') return method;
    if (effect === 'waits')
      return (durationMs) => untilGrace(method(durationMs, signal), cancellation, 0);
    const question = wrapCall(method, named, signal);
    return (...args) => {
      if (signal.aborted) throw cancellation.error();
      if (effect === 'writes' || effect === 'irreversible') effects += 1;
      const answer = question(...args);
      return isStream(answer)
        ? untilCancelled(answer, cancellation)
        : untilGrace(answer, cancellation, effect === 'reads' ? 0 : cancelGraceMs);
    };
  }

  function uncancelable(method: PortMethod, named: NamedMethod): PortMethod {
    const isLocal = named.effect === 'remembers' || named.effect === 'waits';
    return isLocal ? method : wrapCall(method, named, ending.signal);
  }

  return {
    around: (ports) => ({
      cancelable: wrapMethods(ports, cancelable),
      uncancelable: wrapMethods(ports, uncancelable),
    }),
    effects: () => effects,
    end: () => ending.abort(new Error('the command has ended')),
  };
}

type Enter = <Answer>(step: () => Answer) => Answer;

function callWithin(method: PortMethod, enter: Enter): PortMethod {
  return (...args) => {
    const answer = enter(() => method(...args));
    return isStream(answer) ? stepsWithin(answer, enter) : answer;
  };
}

/** Enters the call for each step of a stream, because the consumer of a step is outside of it. */
async function* stepsWithin(events: AsyncIterable<unknown>, enter: Enter): AsyncIterable<unknown> {
  const steps = events[Symbol.asyncIterator]();
  try {
    for (let step = await enter(() => steps.next()); !step.done; ) {
      yield step.value;
      step = await enter(() => steps.next());
    }
  } finally {
    await enter(() => steps.return?.());
  }
}
