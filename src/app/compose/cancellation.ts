import { isDeployError } from '../../errors/deploy-error.ts';
import { cancelled } from '../../errors/external-errors.ts';
import { isStream } from '../../ports/effect.ts';
import { type PortMethod, type Ports, wrapMethods } from '../../ports/ports.ts';

/** On cancel the effect in flight gets this long to answer; a read ends at once, as a host may wait half a minute. */
const graceMs = 5000;

export interface Cancellation {
  readonly signal: AbortSignal;
  readonly stage: string;
  /** What is typed to go on after a cancel. */
  readonly again: string;
}

/** Wraps every port once: the cancel check before and during each call. */
export function makeCancelable(ports: Ports, cancellation: Cancellation): Ports {
  return wrapMethods(ports, (ask, { effect }) => {
    if (effect === 'remembers') return ask;
    if (effect === 'waits')
      return (durationMs) => sleepUntilCancelled(ask, durationMs, cancellation);
    return (...args) => call(() => ask(...args), cancellation, effect === 'reads' ? 0 : graceMs);
  });
}

function call(ask: () => unknown, cancellation: Cancellation, leftMs: number): unknown {
  if (cancellation.signal.aborted) throw cancelled(cancellation.stage, cancellation.again);
  const answer = ask();
  if (isStream(answer)) return untilCancelled(answer, cancellation);
  return withGrace(answer as Promise<unknown>, cancellation, leftMs);
}

async function withGrace(
  answer: Promise<unknown>,
  cancellation: Cancellation,
  leftMs: number,
): Promise<unknown> {
  const { signal } = cancellation;
  let timer: NodeJS.Timeout | undefined;
  let onAbort = () => {};
  const tooLate = new Promise<never>((_, reject) => {
    const end = () => reject(cancelled(cancellation.stage, cancellation.again));
    onAbort = () => {
      if (leftMs === 0) end();
      else timer = setTimeout(end, leftMs);
    };
  });
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([answer, tooLate]);
  } catch (error) {
    throw toldAsCancel(error, cancellation);
  } finally {
    signal.removeEventListener('abort', onAbort);
    clearTimeout(timer);
  }
}

async function* untilCancelled(
  events: AsyncIterable<unknown>,
  cancellation: Cancellation,
): AsyncIterable<unknown> {
  try {
    for await (const event of events) {
      yield event;
      if (cancellation.signal.aborted && !isResult(event))
        throw cancelled(cancellation.stage, cancellation.again);
    }
  } catch (error) {
    throw toldAsCancel(error, cancellation);
  }
}

/** What a call that we broke off ourselves rejects with says nothing about the other side. */
function toldAsCancel(error: unknown, { signal, stage, again }: Cancellation): unknown {
  return signal.aborted && !isDeployError(error) ? cancelled(stage, again) : error;
}

function isResult(event: unknown): boolean {
  return (event as { kind?: unknown }).kind === 'done';
}

async function sleepUntilCancelled(
  sleep: PortMethod,
  durationMs: unknown,
  cancellation: Cancellation,
): Promise<void> {
  try {
    await sleep(durationMs, cancellation.signal);
  } catch (error) {
    throw toldAsCancel(error, cancellation);
  }
}
