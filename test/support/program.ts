import { spawn } from 'node:child_process';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

/** Program that users run. It is committed, and `npm run check` compares it with the sources. */
export const bundledProgram = join(root, 'dist/index.js');

export interface Ended {
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

/**
 * Runs the program to its end with `env`, a PATH and a region, which AWS commands need. Nothing is
 * inherited, so a test does not depend on its CI.
 */
export function runProgram({
  args,
  env = {},
  cwd = root,
  program = bundledProgram,
  node = process.execPath,
  timeoutMs = 300_000,
  input = '',
}: {
  args: readonly string[];
  env?: Record<string, string | undefined>;
  cwd?: string;
  program?: string;
  node?: string;
  timeoutMs?: number;
  input?: string;
}): Promise<Ended> {
  const child = spawn(node, [program, ...args], {
    cwd,
    env: { PATH: process.env['PATH'], AWS_REGION: 'eu-west-1', ...env },
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.setEncoding('utf8').on('data', (chunk) => {
    stderr += chunk;
  });
  // A program that ends without reading its input closes the pipe first.
  child.stdin.on('error', () => undefined).end(input);
  return new Promise((settle, refuse) => {
    child.on('error', refuse);
    child.on('close', (exitCode, signal) => settle({ exitCode, signal, stdout, stderr }));
  });
}
