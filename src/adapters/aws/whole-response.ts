import { Readable } from 'node:stream';
import { untilAborted } from '../../domain/background.ts';

/** Members of a request handler that this program uses. */
interface Handler<Request> {
  readonly metadata?: { readonly handlerProtocol: string };
  handle(
    request: Request,
    options?: { readonly abortSignal?: AbortSignal },
  ): Promise<{ readonly response: Response }>;
  destroy(): void;
}

interface Response {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Readable;
}

export interface ResponseLimits {
  /** Limit from the request to the last byte of the response. */
  readonly withinMs: number;
  readonly mostBytes?: number;
}

/** AWS's longest pages are below 8 MB. */
const usualBytes = 32 * 1024 * 1024;

/**
 * Creates a handler that returns only whole responses. The SDK itself reads a body without a limit
 * of time or size. A response that exceeds the limit rejects with `TimeoutError`.
 */
export function createWholeHandler<Request>(
  handler: Handler<Request>,
  { withinMs, mostBytes = usualBytes }: ResponseLimits,
) {
  return {
    metadata: handler.metadata,
    async handle(request: Request, { abortSignal }: { readonly abortSignal?: AbortSignal } = {}) {
      const limit = AbortSignal.timeout(withinMs);
      const signal = abortSignal === undefined ? limit : AbortSignal.any([abortSignal, limit]);
      try {
        const { response } = await handler.handle(request, { abortSignal: signal });
        const body = await readWhole(response.body, { signal, mostBytes });
        return { response: Object.assign(response, { body: Readable.from(body) }) };
      } catch (error) {
        if (!limit.aborted || abortSignal?.aborted === true) throw error;
        const through = (error as { through?: unknown }).through;
        const late = timeoutOf('whole response', withinMs);
        throw through === undefined ? late : Object.assign(late, { through });
      }
    },
    destroy: () => handler.destroy(),
    updateHttpClientConfig() {},
    httpHandlerConfigs: () => ({}),
  };
}

async function readWhole(
  body: Readable | undefined,
  { signal, mostBytes }: { readonly signal: AbortSignal; readonly mostBytes: number },
): Promise<Buffer[]> {
  if (body === undefined) return [];
  const end = () => body.destroy(signal.reason as Error);
  if (signal.aborted) end();
  signal.addEventListener('abort', end, { once: true });
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    // Leaving the loop destroys the rest of the response.
    for await (const chunk of body as AsyncIterable<Buffer>) {
      length += chunk.byteLength;
      if (length > mostBytes) throw new Error(`the response is longer than ${mostBytes} bytes`);
      chunks.push(chunk);
    }
  } finally {
    signal.removeEventListener('abort', end);
  }
  return [Buffer.concat(chunks)];
}

/**
 * Limits the time of a promise and rejects with `TimeoutError`. The work itself continues, and its
 * result is ignored.
 */
export async function within<T>(
  withinMs: number,
  begin: () => Promise<T>,
  what: string,
): Promise<T> {
  const limit = AbortSignal.timeout(withinMs);
  return untilAborted(begin(), limit).catch((error: unknown) => {
    throw error === limit.reason ? timeoutOf(what, withinMs) : error;
  });
}

function timeoutOf(what: string, withinMs: number) {
  return Object.assign(new Error(`no ${what} within ${withinMs / 1000}s`), {
    name: 'TimeoutError',
  });
}
