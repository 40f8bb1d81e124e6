import { isDeployError } from '../../errors/deploy-error.ts';

export interface Cancellation {
  readonly signal: AbortSignal;
  readonly error: () => Error;
}

/** Rejects after a cancel, if no answer comes within `leftMs`. */
export async function untilGrace(
  answer: unknown,
  cancellation: Cancellation,
  leftMs: number,
): Promise<unknown> {
  const { signal } = cancellation;
  let timer: NodeJS.Timeout | undefined;
  let onAbort = () => {};
  const tooLate = new Promise<never>((_, reject) => {
    const end = () => reject(cancellation.error());
    onAbort = () => {
      if (leftMs === 0) end();
      else timer = setTimeout(end, leftMs);
    };
  });
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([answer, tooLate]);
  } catch (error) {
    throw toCancelFailure(error, cancellation);
  } finally {
    signal.removeEventListener('abort', onAbort);
    clearTimeout(timer);
  }
}

/** Ends a stream at its first event after a cancel, except at its result. */
export async function* untilCancelled(
  events: AsyncIterable<unknown>,
  cancellation: Cancellation,
): AsyncIterable<unknown> {
  try {
    for await (const event of events) {
      yield event;
      const isResult = (event as { kind?: unknown }).kind === 'done';
      if (cancellation.signal.aborted && !isResult) throw cancellation.error();
    }
  } catch (error) {
    throw toCancelFailure(error, cancellation);
  }
}

/** Replaces the error of a call that the cancel ended, which proves nothing. */
function toCancelFailure(error: unknown, cancellation: Cancellation): unknown {
  return cancellation.signal.aborted && !isDeployError(error) ? cancellation.error() : error;
}
