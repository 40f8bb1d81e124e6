import { systemReason } from '../../errors/system-reason.ts';

/** Output to a terminal, pipe or file. A failed write does not stop the command. */
export interface Output {
  write(text: string): void;
  /**
   * Returns the system's error for lost output, after all writes. Undefined if nothing was lost, or
   * the reader closed the output.
   */
  failure(): Promise<string | undefined>;
  /** Aborted once no output arrives any more. A command that only prints can then stop. */
  readonly lost: AbortSignal;
}

/** Members of `process.stdout` in use. */
export interface OutputStream {
  write(text: string, done?: () => void): unknown;
  on(event: 'error', listener: (error: NodeJS.ErrnoException) => void): unknown;
}

/**
 * Errors of a pipe that its reader closed (`| head`), or of a closed terminal. Such a loss is no
 * failure.
 */
const readerIsGone: readonly string[] = ['EPIPE', 'EIO'];

export function createOutput(stream: OutputStream): Output {
  const ending = new AbortController();
  let lost: string | undefined;
  const lose = (error: unknown) => {
    lost ??= systemReason(error);
    ending.abort();
  };
  stream.on('error', lose);
  return {
    lost: ending.signal,
    write(text) {
      if (lost !== undefined) return;
      try {
        stream.write(text);
      } catch (error) {
        // Some Node versions throw errors that others pass to the listener.
        lose(error);
      }
    },
    async failure() {
      // A failure of the last write arrives only in its callback.
      if (lost === undefined) await new Promise<void>((done) => stream.write('', done));
      return lost !== undefined && readerIsGone.includes(lost) ? undefined : lost;
    },
  };
}
