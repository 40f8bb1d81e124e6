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

/** Between what one run says and what the next one says; no text of the program's has it. */
const mark = '\u001eended\u001e';
const script = join(dirname(fileURLToPath(import.meta.url)), 'again-and-again.js');

/** Memory that a module once loaded keeps is given back after so many runs. */
const mostRuns = 40;

const idle = new Set<ReadyProgram>();
const all = new Set<ReadyProgram>();
afterAll(() => {
  for (const one of all) one.kill();
  all.clear();
  idle.clear();
});

/** Done, or refused before anything was touched. Every other end may have left a lock or a child. */
const leavesNothing: readonly (number | null)[] = [0, 2];

/**
 * A run of the bundle that nobody kills, in a process that stays: much of a run's price is its start. Its
 * modules are as new as in a process of its own. A run that may have left something behind takes its process
 * with it, as the lock of the dead is not the lock of the living.
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
    const said = { text: '', stdout: '', stderr: '' };
    const hear = (name: 'stdout' | 'stderr') => (chunk: string) => {
      said[name] += chunk;
      said.text += chunk;
    };
    const [out, err] = [hear('stdout'), hear('stderr')];
    stdout.on('data', out);
    stderr.on('data', err);
    // One that hangs is cancelled, so that it says what it waited for.
    const limit = setTimeout(() => this.#child.kill('SIGTERM'), longestMs);
    stdin.write(`${JSON.stringify({ args, env, cwd })}\n`);
    const ended = () => said.stdout.endsWith(mark) && exitAt.test(said.stderr);
    await new Promise<void>((resolve) => {
      const look = () => ended() && resolve();
      stdout.on('data', look);
      stderr.on('data', look);
      void this.#closed.then(resolve);
    });
    clearTimeout(limit);
    for (const stream of [stdout, stderr]) stream.removeAllListeners('data');
    const exitCode = ended() ? Number(exitAt.exec(said.stderr)?.[1]) : this.#child.exitCode;
    return endOf({
      args,
      exitCode,
      signal: this.#child.signalCode,
      text: said.text.replace(exitAt, '').replaceAll(mark, ''),
      stdout: said.stdout.replace(mark, ''),
      stderr: said.stderr.replace(exitAt, ''),
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
