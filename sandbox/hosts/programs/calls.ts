import { execFile } from 'node:child_process';
import { constants, mkdirSync, open, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

export interface CallResult {
  code: number;
  out?: string;
  err?: string;
}

export type CallHandler = (words: readonly string[]) => Promise<CallResult>;

/** The machine's end of the shims: each call is a number on one pipe, its words in a file. */
export class Calls {
  readonly #folder: string;
  readonly #handle: CallHandler;
  #pipe: Socket | undefined;

  constructor(folder: string, handle: CallHandler) {
    this.#folder = folder;
    this.#handle = handle;
  }

  async open(): Promise<void> {
    rmSync(this.#folder, { recursive: true, force: true });
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const requests = join(this.#folder, 'requests');
    await promisify(execFile)('mkfifo', ['-m', '600', requests]);
    // Open for both directions, so that it neither blocks nor ever comes to an end.
    const fd = await promisify(open)(requests, constants.O_RDWR | constants.O_NONBLOCK);
    this.#pipe = new Socket({ fd, readable: true, writable: false });
    this.#pipe.on('error', () => undefined);
    let rest = '';
    this.#pipe.on('data', (chunk: Buffer) => {
      const lines = (rest + chunk.toString('utf8')).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) void this.#serve(line);
    });
  }

  close(): void {
    this.#pipe?.destroy();
    this.#pipe = undefined;
  }

  async #serve(number: string): Promise<void> {
    if (!/^\d+$/.test(number)) return;
    const base = join(this.#folder, number);
    try {
      const words = readFileSync(`${base}.words`, 'utf8').split('\0').slice(0, -1);
      rmSync(`${base}.words`);
      const { code, out, err } = await this.#handle(words).catch(
        (error: Error): CallResult => ({ code: 125, err: `${error.message}\n` }),
      );
      if (err) writeFileSync(`${base}.err`, err);
      const streams = `${shapeOf(out)}${err ? ' err' : ''}`;
      await answer(base, `${code}${streams}\n${out ?? ''}`);
    } catch {
      // The script was killed meanwhile and its files with it: nobody waits for the answer.
    }
  }
}

/** One line is read by the shell itself, without a process for it. */
function shapeOf(out = ''): '' | ' line' | ' out' {
  if (out === '') return '';
  return /^[^\0\n]*\n$/.test(out) ? ' line' : ' out';
}

/** The caller may not have opened its pipe yet, or never will: opening must not block us. */
async function answer(pipe: string, text: string): Promise<void> {
  for (let waitedMs = 0; waitedMs < callerOpensWithinMs; waitedMs += 5) {
    const fd = await promisify(open)(pipe, constants.O_WRONLY | constants.O_NONBLOCK).catch(
      (error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENXIO') throw error;
      },
    );
    if (fd !== undefined) {
      // The next process of that number makes a pipe of its own.
      rmSync(pipe);
      // A caller that is killed takes its end of the pipe with it.
      const caller = new Socket({ fd, readable: false, writable: true });
      caller.on('error', () => undefined).end(text);
      return;
    }
    await sleep(5);
  }
  rmSync(pipe, { force: true });
}

const callerOpensWithinMs = 5000;
