import { spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import type { Clock } from '../../ports/clock.ts';
import type { ProgramEnd } from '../transport/words/program-end.ts';

export interface ChildRequest {
  readonly file: string;
  readonly arguments: readonly string[];
  readonly environment: Record<string, string>;
  readonly workingDirectory: string;
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly signal: AbortSignal | undefined;
}

export type ChildEnd =
  | ProgramEnd
  /** The program was never started. */
  | { readonly kind: 'not_started'; readonly code: string }
  /** The program printed more than the limit. */
  | { readonly kind: 'flooded' };

export interface Child {
  readonly pid: number | undefined;
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly end: Promise<ChildEnd>;
  /** Sends one SIGINT. Does nothing if the process has ended. */
  interrupt(): void;
}

// Grace period after SIGINT. At the first SIGINT, Terraform finishes current operations, writes its
// state and releases its lock. At the second, it does neither. It therefore gets one SIGINT, and is
// killed only if it hangs.
const graceMs = 10 * 60_000;

/** Starts Terraform without a shell, in a separate process group. */
export function startChild(request: ChildRequest): Child {
  const { clock, signal, timeoutMs } = request;
  const over = new AbortController();
  let stopped: 'timed_out' | 'cancelled' | undefined;
  const subprocess = spawn(request.file, request.arguments, {
    env: request.environment,
    cwd: request.workingDirectory,
    stdio: ['ignore', 'pipe', 'pipe'],
    // In a separate group, the child does not receive ^C from the terminal. This process passes it
    // on once.
    detached: true,
  });

  function stop(why: 'timed_out' | 'cancelled'): void {
    if (stopped !== undefined || over.signal.aborted) return;
    stopped = why;
    subprocess.kill('SIGINT');
    after(graceMs, () => killGroup(subprocess.pid));
  }

  function after(durationMs: number, act: () => void): void {
    clock.sleep(durationMs, over.signal).then(act, () => undefined);
  }

  const cancel = () => stop('cancelled');
  signal?.addEventListener('abort', cancel, { once: true });
  if (signal?.aborted) cancel();
  after(timeoutMs, () => stop('timed_out'));
  const end = new Promise<ChildEnd>((resolve) => {
    subprocess.once('error', (error: NodeJS.ErrnoException) =>
      resolve({ kind: 'not_started', code: error.code ?? 'UNKNOWN' }),
    );
    // `close` may never come: a provider that remains keeps the outputs open.
    subprocess.once('exit', (code, name) => {
      if (stopped !== undefined) resolve({ kind: stopped });
      else if (code === null) resolve({ kind: 'killed', signal: name ?? 'unknown' });
      else resolve({ kind: 'exited', code });
    });
  }).finally(() => {
    over.abort();
    signal?.removeEventListener('abort', cancel);
  });
  const { pid, stdout, stderr } = subprocess;
  return { pid, stdout, stderr, end, interrupt: cancel };
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The group has ended.
  }
}
