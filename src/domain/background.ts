/**
 * Runs work that nothing awaits and that handles its own failures. A rejection is a bug, and ends
 * the process like any uncaught error. All other promises are awaited, returned or given a handler
 * (`test/structure/code/promises.test.ts`).
 */
export function runInBackground(work: Promise<unknown>): void {
  void work;
}

/**
 * Returns a promise that rejects with the signal's reason on abort. The original work continues.
 */
export async function untilAborted<Value>(
  work: Promise<Value>,
  signal: AbortSignal,
): Promise<Value> {
  const settled = new AbortController();
  const aborted = new Promise<never>((_, reject) => {
    const end = () => reject(signal.reason as Error);
    if (signal.aborted) end();
    signal.addEventListener('abort', end, { once: true, signal: settled.signal });
  });
  try {
    return await Promise.race([aborted, work]);
  } finally {
    settled.abort();
  }
}
