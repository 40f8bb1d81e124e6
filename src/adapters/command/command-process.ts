import { runInBackground } from '../../domain/background.ts';
import type { Clock } from '../../ports/clock.ts';
import { cancelGraceMs } from '../../ports/effect.ts';
import { readLines } from '../transport/words/line-stream.ts';
import type { ProgramEnd } from '../transport/words/program-end.ts';

export interface CommandRequest {
  readonly file: string;
  readonly arguments: readonly string[];
  readonly environment: Record<string, string>;
  readonly workingDirectory: string | undefined;
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly signal: AbortSignal | undefined;
}

export type CommandEnd =
  | ProgramEnd
  /** The program was never started. */
  | { readonly kind: 'not_started'; readonly code: string; readonly message: string };

export interface RunningCommand {
  /** Lines of both outputs, until both are closed. */
  readonly lines: AsyncIterable<OutputLine>;
  readonly end: Promise<CommandEnd>;
  /** Ends the command like a cancel. Does nothing if it has ended. */
  stop(): void;
}

export interface OutputLine {
  readonly stream: 'stdout' | 'stderr';
  readonly text: string;
}

// Grace period for the command. On SIGINT, infrastructure tools finish the current operation, write
// their state and exit. On a cancel, this process exits after five seconds, and the child's group
// must end before.
const graceMs = cancelGraceMs - 500;

/** Starts a user's program without a shell, in a separate process group. */
export async function startCommand(request: CommandRequest): Promise<RunningCommand> {
  const { clock, signal, timeoutMs } = request;
  const { execa } = await import('execa');
  const lines = createLineQueue<OutputLine>();
  const over = new AbortController();
  let stopped: 'timed_out' | 'cancelled' | undefined;
  signal?.throwIfAborted();
  const subprocess = execa(request.file, [...request.arguments], {
    env: request.environment,
    extendEnv: false,
    ...(request.workingDirectory === undefined ? {} : { cwd: request.workingDirectory }),
    stdin: 'ignore',
    buffer: false,
    reject: false,
    // In a separate group, the child does not receive ^C from the terminal. This process passes it
    // on once.
    detached: true,
  });
  const toGroup = (name: NodeJS.Signals) => signalGroup(subprocess.pid, name);

  function stop(why: 'timed_out' | 'cancelled'): void {
    if (stopped !== undefined || over.signal.aborted) return;
    stopped = why;
    // Only the child gets SIGINT: it ends its own children in the right order.
    subprocess.kill('SIGINT');
    clock.sleep(graceMs, over.signal).then(
      () => toGroup('SIGKILL'),
      () => undefined,
    );
  }

  const cancel = () => stop('cancelled');
  signal?.addEventListener('abort', cancel, { once: true });
  clock.sleep(timeoutMs, over.signal).then(
    () => stop('timed_out'),
    () => undefined,
  );
  const end = subprocess.then((result) => {
    over.abort();
    signal?.removeEventListener('abort', cancel);
    return stopped === undefined ? endOf(result) : ({ kind: stopped } as const);
  });
  runInBackground(pump({ subprocess, lines, end }));
  return { lines, end, stop: cancel };
}

interface Readable {
  iterable(options: { from: 'stdout' | 'stderr'; binary: true }): AsyncIterable<unknown>;
}

async function pump({
  subprocess,
  lines,
  end,
}: {
  subprocess: Readable;
  lines: LineQueue<OutputLine>;
  end: Promise<unknown>;
}): Promise<void> {
  const read = async (stream: OutputLine['stream']) => {
    try {
      for await (const text of readLines(subprocess.iterable({ from: stream, binary: true })))
        lines.push({ stream, text });
    } catch {
      // `end` already reports the failure of a failed child.
    }
  };
  await Promise.all([read('stdout'), read('stderr'), end]);
  lines.close();
}

interface Result {
  readonly exitCode?: number | undefined;
  readonly signal?: string | undefined;
  readonly code?: string | undefined;
  readonly originalMessage?: string | undefined;
}

function endOf({ exitCode, signal, code, originalMessage }: Result): CommandEnd {
  if (exitCode !== undefined) return { kind: 'exited', code: exitCode };
  if (signal !== undefined) return { kind: 'killed', signal };
  return { kind: 'not_started', code: code ?? 'UNKNOWN', message: originalMessage ?? '' };
}

function signalGroup(pid: number | undefined, name: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, name);
  } catch {
    // The group has ended.
  }
}

/** Queue for several writers and one reader, in the order of arrival. */
interface LineQueue<T> extends AsyncIterable<T> {
  push(line: T): void;
  /** Closes the queue. The reader ends after the remaining lines. */
  close(): void;
}

function createLineQueue<T>(): LineQueue<T> {
  const waiting: T[] = [];
  let closed = false;
  let wake: (() => void) | undefined;

  function rouse(): void {
    wake?.();
    wake = undefined;
  }

  return {
    push(line) {
      waiting.push(line);
      rouse();
    },
    close() {
      closed = true;
      rouse();
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        yield* waiting.splice(0);
        if (waiting.length > 0) continue;
        if (closed) return;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}
