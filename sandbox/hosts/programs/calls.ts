import { execFile } from 'node:child_process';
import { constants, mkdirSync, open, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { runInBackground } from '../../../src/domain/background.ts';

export interface CallResult {
  code: number;
  out?: string;
  err?: string;
}

export type CallHandler = (words: readonly string[]) => Promise<CallResult>;

/**
 * Machine's side of the shims. Each call is a name on one pipe, with its words in a file and its
 * response on a pipe of that name. Pipes are created in advance, because a process per call would
 * be slow.
 */
export class Calls {
  readonly #folder: string;
  readonly #handle: CallHandler;
  #pipe: Socket | undefined;
  #made = 0;
  #served = 0;

  constructor(folder: string, handle: CallHandler) {
    this.#folder = folder;
    this.#handle = handle;
  }

  async open(): Promise<void> {
    rmSync(this.#folder, { recursive: true, force: true });
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const requests = join(this.#folder, 'requests');
    await this.#makePipes('requests', ...this.#nextPipes());
    // With both directions, the pipe never blocks and never ends.
    const fd = await promisify(open)(requests, constants.O_RDWR | constants.O_NONBLOCK);
    this.#pipe = new Socket({ fd, readable: true, writable: false });
    this.#pipe.on('error', () => undefined);
    let rest = '';
    this.#pipe.on('data', (chunk: Buffer) => {
      const lines = (rest + chunk.toString('utf8')).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) runInBackground(this.#serve(line));
    });
  }

  close(): void {
    this.#pipe?.destroy();
    this.#pipe = undefined;
  }

  #nextPipes(): string[] {
    const names = Array.from({ length: pipesAtOnce }, (_, at) => `ready.${this.#made + at + 1}`);
    this.#made += pipesAtOnce;
    return names;
  }

  async #makePipes(...names: readonly string[]): Promise<void> {
    await promisify(execFile)('mkfifo', ['-m', '600', ...names], { cwd: this.#folder });
  }

  async #serve(line: string): Promise<void> {
    const [name = '', limitSeconds = ''] = line.split(' ');
    if (!/^(?:ready|own)\.\d+$/.test(name)) return;
    this.#served += 1;
    // The folder may be deleted with the machine. A caller without a pipe creates one.
    if (this.#made - this.#served < pipesAtOnce / 2)
      this.#makePipes(...this.#nextPipes()).catch(() => undefined);
    const pipe = join(this.#folder, name);
    const wordsFile = join(this.#folder, `words.${name}`);
    try {
      const words = readFileSync(wordsFile, 'utf8').split('\0').slice(0, -1);
      const { code, out, err } = await inTime(Number(limitSeconds) * 1000, this.#handle(words));
      if (err) writeFileSync(join(this.#folder, `err.${name}`), err);
      const streams = `${shapeOf(out)}${err ? ' err' : ''}`;
      await answer(pipe, `${code}${streams}\n${out ?? ''}`);
      // The file of words reserves the pipe until here.
      rmSync(wordsFile);
    } catch {
      // The script was killed and its files were deleted, so no caller waits.
    }
  }
}

/** Limits a call like `timeout`. Its work continues in the background. Zero means no limit. */
async function inTime(limitMs: number, call: Promise<CallResult>): Promise<CallResult> {
  const result = call.catch((error: Error): CallResult => {
    return { code: 125, err: `${error.message}\n` };
  });
  if (limitMs === 0) return result;
  return Promise.race([result, sleep(limitMs, { code: 124 }, { ref: false })]);
}

/**
 * Decides how the caller reads the output. For a few whole lines, the shell does it byte by byte,
 * without a process.
 */
function shapeOf(out = ''): '' | ' lines' | ' out' {
  if (out === '') return '';
  return out.length < 1000 && !out.includes('\0') && out.endsWith('\n') ? ' lines' : ' out';
}

/**
 * Writes the response. Opening the pipe must not block: the caller may open it later, or never.
 */
async function answer(pipe: string, text: string): Promise<void> {
  for (let waitedMs = 0; waitedMs < callerOpensWithinMs; waitedMs += 5) {
    const fd = await promisify(open)(pipe, constants.O_WRONLY | constants.O_NONBLOCK).catch(
      (error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENXIO') throw error;
      },
    );
    if (fd !== undefined) {
      rmSync(pipe);
      // A killed caller closes its end of the pipe.
      const caller = new Socket({ fd, readable: false, writable: true });
      caller.on('error', () => undefined).end(text);
      return;
    }
    await sleep(5);
  }
  rmSync(pipe, { force: true });
}

/** Time for a caller to open its pipe: seconds on a busy machine. A killed caller never does. */
const callerOpensWithinMs = 60_000;
const pipesAtOnce = 24;
