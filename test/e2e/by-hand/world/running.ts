import { spawn } from 'node:child_process';
import { bundledProgram } from '../../../support/program.ts';

export interface End {
  readonly args: readonly string[];
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Output of both streams, in order of arrival. */
  readonly text: string;
  readonly stdout: string;
  /** Error stream without the notes about slow responses. */
  readonly stderr: string;
  /** Code of the rendered error. */
  readonly code: string | undefined;
}

export interface Running {
  readonly pid: number;
  readonly ended: Promise<End>;
  kill(signal: NodeJS.Signals): void;
  text(): string;
}

export const longestMs = 600_000;

/** Notes about slow responses, which depend on the machine's load. They stay in `text`. */
const silences = /^! .+ has not responded for 5s; still waiting(?:, \w+ in total)?\.\n/gm;

/** Returns the end of a run with the code of its rendered error. */
export function endOf(result: Omit<End, 'code'>): End {
  const stderr = result.stderr.replace(silences, '');
  return { ...result, stderr, code: /^ {2}ref {2}(\w+) /m.exec(stderr)?.[1] };
}

/** Starts the program in a separate process with exactly the given environment. */
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
  const output = { text: '', stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (chunk: string) => {
      output[stream] += chunk;
      output.text += chunk;
    });
  }
  // A hanging command is cancelled, to report its wait.
  const limit = setTimeout(() => child.kill('SIGTERM'), longestMs);
  const ended = new Promise<End>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (exitCode, signal) => {
      clearTimeout(limit);
      resolve(endOf({ args, exitCode, signal, ...output }));
    });
  });
  return {
    pid: child.pid ?? 0,
    ended,
    kill: (signal) => child.kill(signal),
    text: () => output.text,
  };
}

/** Polls until `look` finds a value. The limit only ends a hang. */
export async function waitUntil<Value>(
  what: string,
  findValue: () => Promise<Value | undefined>,
): Promise<Value> {
  const startedAt = performance.now();
  for (;;) {
    const found = await findValue();
    if (found !== undefined) return found;
    if (performance.now() - startedAt > longestMs) throw new Error(`never came to: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
