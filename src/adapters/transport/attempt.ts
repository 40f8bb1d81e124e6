import type { Clock } from '../../ports/clock.ts';
import { type NetworkError, readNetworkError } from './network-error.ts';
import type { TransportAnswer, TransportRequest } from './request.ts';
import type { Send } from './send.ts';

export type AttemptOutcome =
  | { readonly kind: 'answer'; readonly answer: TransportAnswer }
  | { readonly kind: 'too_large'; readonly status: number }
  | { readonly kind: 'failed'; readonly error: NetworkError }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'cancelled' };

export interface Attempt {
  readonly request: TransportRequest;
  readonly send: Send;
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly maxAnswerBytes: number;
  readonly signal: AbortSignal;
  /** Time that the attempt may continue after a cancel. */
  readonly graceMs: number;
}

/** Sends once and reads the whole response. Never rejects. */
export async function attemptOnce(attempt: Attempt): Promise<AttemptOutcome> {
  const abort = new AbortController();
  try {
    return await Promise.race([
      exchange(attempt, abort.signal),
      timeout(attempt, abort.signal),
      cancellation(attempt, abort.signal),
    ]);
  } finally {
    // This ends the timers, and the exchange if it has not settled first.
    abort.abort();
  }
}

async function exchange(attempt: Attempt, signal: AbortSignal): Promise<AttemptOutcome> {
  const { method, url, headers = {}, body, onSent } = attempt.request;
  const { maxAnswerBytes } = attempt;
  try {
    const sending = { method, url, headers, body, signal, maxAnswerBytes, onSent };
    const received = await attempt.send(sending);
    const { status, headers: rawHeaders, body: text } = received;
    if (text === undefined) return { kind: 'too_large', status };
    return { kind: 'answer', answer: { status, headers: rawHeaders, body: text } };
  } catch (error) {
    return { kind: 'failed', error: readNetworkError(error) };
  }
}

function timeout({ clock, timeoutMs }: Attempt, settled: AbortSignal): Promise<AttemptOutcome> {
  return clock.sleep(timeoutMs, settled).then(
    () => ({ kind: 'timeout' }),
    () => ({ kind: 'cancelled' }),
  );
}

function cancellation(attempt: Attempt, settled: AbortSignal): Promise<AttemptOutcome> {
  const { clock, signal, graceMs } = attempt;
  return new Promise((resolve) => {
    const end = () => resolve({ kind: 'cancelled' });
    const cancel = () => {
      clock.sleep(graceMs, settled).then(end, end);
    };
    if (signal.aborted) cancel();
    signal.addEventListener('abort', cancel, { once: true });
    settled.addEventListener('abort', () => signal.removeEventListener('abort', cancel));
  });
}
