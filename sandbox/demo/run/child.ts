import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

export interface ProgramCall {
  /** Executable and file. */
  readonly command: readonly string[];
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly folder: string;
  readonly signal: AbortSignal;
  readonly onLine: (line: string) => void;
}

export interface RunningProgram {
  readonly ended: Promise<EndedProgram>;
  /** Sends SIGKILL at once. */
  kill(): void;
}

export interface EndedProgram {
  /** Null after a signal. */
  readonly exitCode: number | null;
  readonly lines: readonly string[];
}

/** Time for a cancelled command to exit. Its sandbox ends right after it. */
const leaveWithinMs = 2000;

/**
 * Starts the program as a child process. A kill is then real, and the child knows only its
 * environment.
 */
export function startProgram(call: ProgramCall): RunningProgram {
  const [executable = '', ...first] = call.command;
  const child = spawn(executable, [...first, ...call.args], {
    cwd: call.folder,
    env: call.environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let force: NodeJS.Timeout | undefined;
  const cancel = () => {
    child.kill('SIGTERM');
    force = setTimeout(() => child.kill('SIGKILL'), leaveWithinMs);
  };
  call.signal.addEventListener('abort', cancel, { once: true });
  if (call.signal.aborted) cancel();
  const lines: string[] = [];
  for (const input of [child.stdout, child.stderr]) {
    createInterface({ input }).on('line', (line) => {
      lines.push(line);
      call.onLine(line);
    });
  }
  const ended = new Promise<EndedProgram>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exitCode) => resolve({ exitCode, lines }));
  }).finally(() => {
    clearTimeout(force);
    call.signal.removeEventListener('abort', cancel);
  });
  return { ended, kill: () => child.kill('SIGKILL') };
}
