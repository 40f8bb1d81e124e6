import { spawn } from 'node:child_process';
import { bundledProgram } from '../../../support/program.ts';

export interface End {
  readonly args: readonly string[];
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Both streams in the order of their arrival. */
  readonly text: string;
  readonly stdout: string;
  /** Without what is said of a silence. */
  readonly stderr: string;
  /** The code of the error that was rendered. */
  readonly code: string | undefined;
}

export interface Running {
  readonly pid: number;
  readonly ended: Promise<End>;
  kill(signal: NodeJS.Signals): void;
  text(): string;
}

export const longestMs = 600_000;

/** What is said of a silence belongs to the machine: a busy one answers late. It stays in `text`. */
const silences = /^! .+ has not answered for 5s; it is still waited for(?:, \w+ in all)?\.\n/gm;

/** With the code of the error that was rendered. */
export function endOf(heard: Omit<End, 'code'>): End {
  const stderr = heard.stderr.replace(silences, '');
  return { ...heard, stderr, code: /^ {2}ref {2}(\w+) /m.exec(stderr)?.[1] };
}

/** The program as a process of its own; the environment is what is given and nothing else. */
export function startProgram({
  args,
  env,
  cwd,
  program = bundledProgram,
  node = process.execPath,
}: {
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  cwd: string;
  program?: string;
  node?: string;
}): Running {
  const child = spawn(node, [program, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const said = { text: '', stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (chunk: string) => {
      said[stream] += chunk;
      said.text += chunk;
    });
  }
  // A command that hangs is cancelled, so that it says what it waited for.
  const limit = setTimeout(() => child.kill('SIGTERM'), longestMs);
  const ended = new Promise<End>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (exitCode, signal) => {
      clearTimeout(limit);
      resolve(endOf({ args, exitCode, signal, ...said }));
    });
  });
  return {
    pid: child.pid ?? 0,
    ended,
    kill: (signal) => child.kill(signal),
    text: () => said.text,
  };
}

/** What `look` finds at last; the limit is only there to end a hang. */
export async function waitUntil<Value>(
  what: string,
  look: () => Promise<Value | undefined>,
): Promise<Value> {
  const startedAt = performance.now();
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (performance.now() - startedAt > longestMs) throw new Error(`never came to: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
