import { type ChildProcess, spawn } from 'node:child_process';
import type { Writable } from 'node:stream';

/**
 * Runs a shell script in a process group that cannot outlive this process. A watchdog in the group
 * reads from a pipe that this process holds. When the pipe closes, also after a kill, the watchdog
 * kills the group with all background processes.
 */
export function spawnGuardedShell({
  scriptFile,
  folder,
  environment,
  onOutput,
}: GuardedShellRequest): GuardedShell {
  const child = spawn('sh', ['-c', guard, scriptFile], {
    cwd: folder,
    env: environment,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  const leash = child.stdio[3] as Writable | null;
  // The group may end before the pipe closes.
  leash?.on('error', () => undefined);
  child.stdout?.on('data', (chunk: Buffer) => onOutput('stdout', chunk));
  child.stderr?.on('data', (chunk: Buffer) => onOutput('stderr', chunk));
  child.once('exit', () => leash?.destroy());
  return { pid: child.pid, finished: finishOf(child), signal: (name) => signalGroup(child, name) };
}

export interface GuardedShellRequest {
  scriptFile: string;
  folder: string;
  environment: Record<string, string>;
  onOutput: (stream: 'stdout' | 'stderr', chunk: Buffer) => void;
}

export interface GuardedShell {
  readonly pid: number | undefined;
  /** Exit code. After a signal, 128 plus its number, as in shells. */
  readonly finished: Promise<number>;
  /** Sends a signal to the whole group. */
  signal(name: NodeJS.Signals): void;
}

// The watchdog ignores SIGTERM, so a script that ignores it also ends with this process.
const guard =
  '( trap "" TERM; read -r _ <&3; kill -KILL 0 ) >/dev/null 2>&1 & exec 3<&-; exec sh "$0"';
const heldOutputMs = 500;
const signalNumbers: Readonly<Record<string, number>> = { SIGKILL: 9, SIGTERM: 15, SIGINT: 2 };

function finishOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve) => {
    child.once('error', () => resolve(127));
    child.once('exit', (code, signal) => {
      const result = code ?? 128 + (signalNumbers[signal ?? ''] ?? 0);
      child.once('close', () => resolve(result));
      // A process that left the group may hold the script's output open forever. The script's own
      // output is available by now. It is read before the next turn, even if this process stood
      // still.
      const letGo = () => setImmediate(() => setImmediate(() => resolve(result)));
      setTimeout(letGo, heldOutputMs).unref();
    });
  });
}

function signalGroup(child: ChildProcess, name: NodeJS.Signals): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  try {
    process.kill(-child.pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
