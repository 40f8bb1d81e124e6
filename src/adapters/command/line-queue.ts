/** Several writers, one reader, in the order of arrival. */
export interface LineQueue<T> extends AsyncIterable<T> {
  push(line: T): void;
  /** No more lines come; the reader ends after those that are left. */
  close(): void;
}

export function createLineQueue<T>(): LineQueue<T> {
  const waiting: T[] = [];
  let closed = false;
  let wake: (() => void) | undefined;

  function rouse(): void {
    wake?.();
    wake = undefined;
  }

  return {
    push(line) {
      waiting.push(line);
      rouse();
    },
    close() {
      closed = true;
      rouse();
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        yield* waiting.splice(0);
        if (waiting.length > 0) continue;
        if (closed) return;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}
