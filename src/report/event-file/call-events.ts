import { isStream } from '../../ports/effect.ts';
import type { Log } from '../../ports/log-event.ts';
import type { CallName, NamedMethod, PortMethod } from '../../ports/ports.ts';

/**
 * Wraps a method: each call becomes an event, and a call with an effect also one before it begins.
 */
type Recorder = (call: PortMethod, named: NamedMethod) => PortMethod;

/** Creates the recorder of a run, which counts calls across all its ports. */
export function createRecorder(log: Pick<Log, 'event'>): Recorder {
  let calls = 0;

  function begin({ port, method, ...named }: NamedMethod, args: readonly unknown[]): Noted {
    calls += 1;
    // Methods outside the list of calls are recorded too, as effects.
    const call = `${port}.${method}` as CallName;
    const effect = named.effect !== 'reads';
    const fields = { c: calls, call, effect, args };
    if (effect) log.event({ kind: 'begin', c: calls, call, args });
    return {
      answered: (answer) => log.event({ kind: 'call', ...fields, outcome: 'answered', answer }),
      rejected: (error) =>
        log.event({ kind: 'call', ...fields, outcome: 'rejected', ...failureOf(error) }),
    };
  }

  return (call, named) =>
    (...args) => {
      const noted = begin(named, args);
      const answer = call(...args);
      return isStream(answer) ? noteStream(answer, noted) : noteAnswer(answer, noted);
    };
}

interface Noted {
  answered(answer: unknown): void;
  rejected(error: unknown): void;
}

async function noteAnswer(answer: unknown, noted: Noted): Promise<unknown> {
  try {
    const value = await answer;
    noted.answered(value);
    return value;
  } catch (error) {
    noted.rejected(error);
    throw error;
  }
}

async function* noteStream(events: AsyncIterable<unknown>, noted: Noted): AsyncIterable<unknown> {
  try {
    for await (const event of events) {
      if ((event as { kind?: unknown }).kind === 'done') noted.answered(event);
      yield event;
    }
  } catch (error) {
    noted.rejected(error);
    throw error;
  }
}

/** Describes a failure. `effect_unknown` means that a change may have happened. */
function failureOf(error: unknown): { failure?: string; effect_unknown?: boolean; error: string } {
  const { kind, effect } = (error ?? {}) as { kind?: unknown; effect?: unknown };
  return {
    ...(typeof kind === 'string' ? { failure: kind } : {}),
    ...(effect === 'unknown' ? { effect_unknown: true } : {}),
    error: String(error),
  };
}
