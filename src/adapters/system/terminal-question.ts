import { createInterface } from 'node:readline';

export interface Terminal {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
  /** Cancels the question. */
  readonly signal: AbortSignal;
  /**
   * Called for ^C: the terminal passes it on as a key while a line is typed, and sends no signal.
   */
  readonly onInterrupt: () => void;
}

/** Returns the line that the operator types; undefined if the input ends (^D). */
export function promptOperator(question: string, terminal: Terminal): Promise<string | undefined> {
  const { input, output, signal, onInterrupt } = terminal;
  return new Promise((resolve, reject) => {
    const lines = createInterface({ input, output });
    const end = () => lines.close();
    lines.on('SIGINT', onInterrupt);
    lines.once('close', () => {
      signal.removeEventListener('abort', end);
      if (signal.aborted) reject(signal.reason as Error);
      else resolve(undefined);
    });
    lines.question(question, (answer) => {
      resolve(answer);
      end();
    });
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
  });
}
