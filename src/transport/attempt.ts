import type { Clock } from '../ports/clock.ts';
import { type NetworkError, readNetworkError } from './network-error.ts';
import type { TransportAnswer, TransportRequest } from './request.ts';

export type FetchFunction = (request: Request) => Promise<Response>;

export type Outcome =
  | { readonly kind: 'answer'; readonly answer: TransportAnswer }
  | { readonly kind: 'too_large'; readonly status: number }
  | { readonly kind: 'failed'; readonly error: NetworkError }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'cancelled' };

export interface Attempt {
  readonly request: TransportRequest;
  readonly fetch: FetchFunction;
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly maxAnswerBytes: number;
  readonly signal: AbortSignal;
  /** How long to go on after a cancel. */
  readonly graceMs: number;
}

/** Sends once and reads the whole answer. Never rejects. */
export async function attemptOnce(attempt: Attempt): Promise<Outcome> {
  const abort = new AbortController();
  try {
    return await Promise.race([
      exchange(attempt, abort.signal),
      timeout(attempt, abort.signal),
      cancellation(attempt, abort.signal),
    ]);
  } finally {
    // Ends the timers, and the exchange itself if it was not the first to settle.
    abort.abort();
  }
}

async function exchange(attempt: Attempt, signal: AbortSignal): Promise<Outcome> {
  const { method, url, headers = {}, body } = attempt.request;
  try {
    const response = await attempt.fetch(
      // A redirect is an answer like any other: nobody follows it with our token.
      new Request(url, {
        method,
        headers,
        redirect: 'manual',
        signal,
        ...(body === undefined ? {} : { body }),
      }),
    );
    const text = await readText(response, attempt.maxAnswerBytes);
    if (text === undefined) return { kind: 'too_large', status: response.status };
    const answer = { status: response.status, headers: response.headers, body: text };
    return { kind: 'answer', answer };
  } catch (error) {
    return { kind: 'failed', error: readNetworkError(error) };
  }
}

/** Undefined if there is more than `maxBytes`; what is left is not read. */
async function readText(response: Response, maxBytes: number): Promise<string | undefined> {
  if (response.body === null) return '';
  const reader = response.body.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    length += next.value.byteLength;
    if (length > maxBytes) {
      // Not awaited: whoever sends without end may also never end the sending.
      void reader.cancel().catch(() => undefined);
      return undefined;
    }
    chunks.push(next.value);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function timeout({ clock, timeoutMs }: Attempt, settled: AbortSignal): Promise<Outcome> {
  return clock.sleep(timeoutMs, settled).then(
    () => ({ kind: 'timeout' }),
    () => ({ kind: 'cancelled' }),
  );
}

function cancellation(attempt: Attempt, settled: AbortSignal): Promise<Outcome> {
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
