/**
 * Lets work run that nobody waits for and that handles its own failures. A rejection is a bug, and ends
 * the process like any other error that nothing catches. Everywhere else a promise is awaited, returned
 * or given a handler for its rejection (`test/structure/code/promises.test.ts`).
 */
export function runInBackground(work: Promise<unknown>): void {
  void work;
}

/** The same promise, which rejects with the signal's reason once that is aborted. What is asked goes on. */
export async function untilAborted<Value>(
  asked: Promise<Value>,
  signal: AbortSignal,
): Promise<Value> {
  const settled = new AbortController();
  const aborted = new Promise<never>((_, reject) => {
    const end = () => reject(signal.reason as Error);
    if (signal.aborted) end();
    signal.addEventListener('abort', end, { once: true, signal: settled.signal });
  });
  try {
    return await Promise.race([aborted, asked]);
  } finally {
    settled.abort();
  }
}
