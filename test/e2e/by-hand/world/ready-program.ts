import { type ChildProcess, spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll } from '@jest/globals';
import { bundledProgram } from '../../../support/program.ts';
import { type End, endOf, longestMs } from './running.ts';

export interface ReadyCall {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

/** Separator between the outputs of two runs, which no text of the program contains. */
const mark = '\u001eended\u001e';
const script = join(dirname(fileURLToPath(import.meta.url)), 'again-and-again.js');

/** Number of runs after which a new process frees the memory of loaded modules. */
const mostRuns = 40;

const idle = new Set<ReadyProgram>();
const all = new Set<ReadyProgram>();
afterAll(() => {
  for (const one of all) one.kill();
  all.clear();
  idle.clear();
});

/**
 * Exit codes of runs that succeeded or were refused before any effect. Every other end may leave a
 * lock or a child.
 */
const leavesNothing: readonly (number | null)[] = [0, 2];

/**
 * Runs the bundle in a process that is reused, because the start is a large part of a run's
 * duration. Its modules are loaded again for each run. A run that may leave something behind ends
 * its process: the lock of a dead process differs from a living one's.
 */
export async function runReady(call: ReadyCall): Promise<End> {
  const [found] = idle;
  const ready = found ?? new ReadyProgram();
  idle.delete(ready);
  all.add(ready);
  const end = await ready.run(call);
  if (leavesNothing.includes(end.exitCode) && ready.runs < mostRuns) idle.add(ready);
  else {
    all.delete(ready);
    await ready.end();
  }
  return end;
}

class ReadyProgram {
  runs = 0;
  readonly #child: ChildProcess;
  readonly #closed: Promise<void>;

  constructor() {
    this.#child = spawn(process.execPath, [script, bundledProgram, mark], { stdio: 'pipe' });
    this.#closed = new Promise((resolve) => this.#child.once('close', () => resolve()));
    for (const stream of [this.#child.stdout, this.#child.stderr]) stream?.setEncoding('utf8');
  }

  async run({ args, env, cwd }: ReadyCall): Promise<End> {
    this.runs += 1;
    const { stdin, stdout, stderr } = this.#child;
    if (stdin === null || stdout === null || stderr === null) throw new Error('no streams');
    const output = { text: '', stdout: '', stderr: '' };
    const createListener = (name: 'stdout' | 'stderr') => (chunk: string) => {
      output[name] += chunk;
      output.text += chunk;
    };
    const [out, err] = [createListener('stdout'), createListener('stderr')];
    stdout.on('data', out);
    stderr.on('data', err);
    // A hanging run is cancelled, to report its wait.
    const limit = setTimeout(() => this.#child.kill('SIGTERM'), longestMs);
    stdin.write(`${JSON.stringify({ args, env, cwd })}\n`);
    const ended = () => output.stdout.endsWith(mark) && exitAt.test(output.stderr);
    await new Promise<void>((resolve) => {
      const check = () => ended() && resolve();
      stdout.on('data', check);
      stderr.on('data', check);
      void this.#closed.then(resolve);
    });
    clearTimeout(limit);
    for (const stream of [stdout, stderr]) stream.removeAllListeners('data');
    const exitCode = ended() ? Number(exitAt.exec(output.stderr)?.[1]) : this.#child.exitCode;
    return endOf({
      args,
      exitCode,
      signal: this.#child.signalCode,
      text: output.text.replace(exitAt, '').replaceAll(mark, ''),
      stdout: output.stdout.replace(mark, ''),
      stderr: output.stderr.replace(exitAt, ''),
    });
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  async end(): Promise<void> {
    this.kill();
    await this.#closed;
  }
}

const exitAt = new RegExp(`${mark}(\\d+)\n`);
