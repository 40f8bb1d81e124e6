import { systemReason } from '../../errors/system-reason.ts';

/** Where words go: a terminal, a pipe or a file. What cannot be written keeps no command from its work. */
export interface Output {
  write(text: string): void;
  /**
   * Once everything is written: the system's word for why something is missing, or undefined where a
   * reader misses nothing.
   */
  failure(): Promise<string | undefined>;
  /** Aborted once nothing arrives any more: who would only go on telling has nobody to tell. */
  readonly lost: AbortSignal;
}

/** Of `process.stdout`, as much as is needed. */
export interface OutputStream {
  write(text: string, done?: () => void): unknown;
  on(event: 'error', listener: (error: NodeJS.ErrnoException) => void): unknown;
}

/** A pipe that is closed early (`| head`) and a terminal that was closed: nobody is left to miss it. */
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
        // Some versions of Node throw what others hand to the listener.
        lose(error);
      }
    },
    async failure() {
      // What was written last fails in its callback at the earliest.
      if (lost === undefined) await new Promise<void>((done) => stream.write('', done));
      return lost !== undefined && readerIsGone.includes(lost) ? undefined : lost;
    },
  };
}
