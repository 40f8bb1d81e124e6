import { createInterface } from 'node:readline';

export interface Terminal {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
  /** Ends the question. */
  readonly signal: AbortSignal;
  /** While a line is typed the terminal hands ^C over as a key and sends no signal. */
  readonly onInterrupt: () => void;
}

/** The line that a person types; an empty one where the input ends instead (^D). */
export function promptOperator(question: string, terminal: Terminal): Promise<string> {
  const { input, output, signal, onInterrupt } = terminal;
  return new Promise((resolve, reject) => {
    const lines = createInterface({ input, output });
    const end = () => lines.close();
    lines.on('SIGINT', onInterrupt);
    lines.once('close', () => {
      signal.removeEventListener('abort', end);
      if (signal.aborted) reject(signal.reason as Error);
      else resolve('');
    });
    lines.question(question, (answer) => {
      resolve(answer);
      end();
    });
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
  });
}
