import { createCallBudget } from '../../src/adapters/transport/budget.ts';
import type { TransportLimits } from '../../src/adapters/transport/request.ts';
import type { Send } from '../../src/adapters/transport/send.ts';
import { createTransport, type TransportOptions } from '../../src/adapters/transport/transport.ts';
import { createRedactor } from '../../src/adapters/transport/words/redaction.ts';
import { createVirtualClock } from './virtual-clock.ts';

export type FetchFunction = (request: Request) => Promise<Response>;

export type Answer = Response | Error | 'silence';

/**
 * Creates a server that returns the responses in turn, repeats the last one, and records the
 * requests.
 */
export function createFakeServer(...answers: Answer[]) {
  const requests: Request[] = [];
  const fetch: FetchFunction = async (request) => {
    const answer = answers[Math.min(requests.length, answers.length - 1)];
    requests.push(request);
    if (answer === 'silence') return awaitAbort(request.signal);
    if (answer instanceof Error) throw answer;
    return (answer ?? new Response()).clone();
  };
  return { requests, fetch };
}

function awaitAbort(signal: AbortSignal): Promise<Response> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
  });
}

export function networkError(code: string, message = ''): Error {
  const cause = Object.assign(new Error(message), { code });
  return new TypeError('fetch failed', { cause });
}

export function json(status: number, body: unknown, headers: Record<string, string> = {}) {
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', ...headers },
  });
}

/** Replaces the network by a server in the form of fetch. */
export function sendBy(fetch: FetchFunction): Send {
  return async ({ method, url, headers, body, signal, maxAnswerBytes }) => {
    const request = new Request(url, { method, headers, signal, body: body ?? null });
    const response = await fetch(request);
    const text = await response.text();
    const isWhole = Buffer.byteLength(text) <= maxAnswerBytes;
    const { status } = response;
    return { status, headers: response.headers, body: isWhole ? text : undefined };
  };
}

/** Creates a transport over a virtual clock. `fraction` is the random value. */
export function createTestTransport(
  fetch: FetchFunction,
  options: Partial<TransportOptions> & {
    fraction?: number;
    limits?: Partial<TransportLimits>;
  } = {},
) {
  const clock = createVirtualClock();
  const redactor = createRedactor();
  const { fraction = 0.5, ...rest } = options;
  const transport = createTransport({
    clock,
    redactor,
    send: sendBy(fetch),
    random: { id: () => 'abcdefgh12345678', fraction: () => fraction },
    signal: () => new AbortController().signal,
    budget: createCallBudget({ clock: options.clock ?? clock }),
    ...rest,
  });
  return { clock, redactor, transport };
}
