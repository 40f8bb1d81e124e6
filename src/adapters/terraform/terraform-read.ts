import { AsyncLocalStorage } from 'node:async_hooks';
import type { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { cancelGraceMs } from '../../ports/effect.ts';
import type { ChildEnd, ChildRequest } from './terraform-process.ts';

/** Output of a command, and its end. */
export interface ReadResult {
  readonly end: ChildEnd;
  readonly stdout: string;
  readonly stderr: string;
}

// Grace period of a read-only command, which loses nothing. This process has five seconds after a
// cancel.
const graceMs = cancelGraceMs - 1000;
/** Time after the command's end for children that keep its output open. */
const closeWithinMs = 500;
/** Limit above the size of any state or plan. Node cannot hold a much longer text. */
const usualBytes = 256 * 1024 * 1024;

/**
 * Runs a read-only command through GitHub's toolkit, with exactly this environment, and returns all
 * output without logging it. The toolkit supports neither a limit nor a cancel, so this adds both.
 */
export async function runRead(request: ChildRequest, mostBytes = usualBytes): Promise<ReadResult> {
  request.signal?.throwIfAborted();
  const program = await findProgram(request.file, request.environment['PATH'] ?? '');
  if (program.kind === 'absent')
    return { end: { kind: 'not_started', code: program.code }, stdout: '', stderr: '' };
  const { exec } = await import('@actions/exec');
  const stdout = createOutput();
  const stderr = createOutput();
  const leash = createLeash(request);
  const keep = (output: Output) => (chunk: Buffer) => {
    output.add(chunk);
    if (stdout.bytes() + stderr.bytes() > mostBytes) leash.stop('flooded');
  };
  const end = await leash.hold(() =>
    exec(quoted(program.path), [...request.arguments], {
      cwd: request.workingDirectory,
      env: request.environment,
      silent: true,
      ignoreReturnCode: true,
      delay: closeWithinMs,
      listeners: { stdout: keep(stdout), stderr: keep(stderr) },
    }),
  );
  return { end, stdout: stdout.text(), stderr: stderr.text() };
}

interface Leash {
  /** Runs `start` until its child ends, or shortly after the time limit. */
  hold(start: () => Promise<number>): Promise<ChildEnd>;
  stop(why: 'cancelled' | 'timed_out' | 'flooded'): void;
}

/**
 * Marks which leash starts a child. There is one storage for all: Node informs every storage about
 * each promise.
 */
const startedFor = new AsyncLocalStorage<object>();

/**
 * Creates the control of a child. The toolkit does not expose its process, so a diagnostics channel
 * of Node finds it.
 */
function createLeash({ clock, signal, timeoutMs }: ChildRequest): Leash {
  const over = new AbortController();
  let child: ChildProcess | undefined;
  let stopped: 'cancelled' | 'timed_out' | 'flooded' | undefined;
  let failure: string | undefined;
  let abandon: () => void = () => undefined;
  const abandoned = new Promise<void>((resolve) => {
    abandon = resolve;
  });

  function notice(message: unknown): void {
    if (startedFor.getStore() !== over || child !== undefined) return;
    child = (message as { process: ChildProcess }).process;
    child.once('error', (error: NodeJS.ErrnoException) => {
      failure = error.code ?? 'UNKNOWN';
    });
    child.once('spawn', () => {
      // The child needs no input, and may wait for an open one.
      child?.stdin?.on('error', () => undefined).end();
      if (stopped !== undefined) child?.kill('SIGINT');
    });
  }

  function after(durationMs: number, act: () => void): void {
    clock.sleep(durationMs, over.signal).then(act, () => undefined);
  }

  function stop(why: NonNullable<typeof stopped>): void {
    if (stopped !== undefined || over.signal.aborted) return;
    stopped = why;
    child?.kill('SIGINT');
    after(graceMs, () => {
      child?.kill('SIGKILL');
      // A process that cannot be killed, for example on a hanging disk, is abandoned.
      after(closeWithinMs, abandon);
    });
  }

  const cancel = () => stop('cancelled');
  return {
    stop,
    async hold(start) {
      subscribe('child_process', notice);
      signal?.addEventListener('abort', cancel, { once: true });
      if (signal?.aborted) cancel();
      after(timeoutMs, () => stop('timed_out'));
      try {
        const code = await Promise.race([startedFor.run(over, start), abandoned]);
        if (stopped !== undefined) return { kind: stopped };
        const killedBy = child?.signalCode ?? undefined;
        if (killedBy !== undefined) return { kind: 'killed', signal: killedBy };
        return { kind: 'exited', code: code ?? -1 };
      } catch (error) {
        if (failure === undefined) throw error;
        return { kind: 'not_started', code: failure };
      } finally {
        over.abort();
        unsubscribe('child_process', notice);
        signal?.removeEventListener('abort', cancel);
        letGo(child);
      }
    },
  };
}

/** Releases the child: an open output must not keep this process alive. */
function letGo(child: ChildProcess | undefined): void {
  child?.unref();
  for (const stream of [child?.stdin, child?.stdout, child?.stderr]) stream?.destroy();
}

interface Output {
  add(chunk: Buffer): void;
  bytes(): number;
  text(): string;
}

function createOutput(): Output {
  const chunks: Buffer[] = [];
  let bytes = 0;
  return {
    add(chunk) {
      chunks.push(Buffer.from(chunk));
      bytes += chunk.length;
      // The toolkit searches all text since the last line break, again with each chunk. JSON is one
      // line, so this would take minutes. A line break at each chunk's end avoids it.
      if (chunk.length > 0) chunk[chunk.length - 1] = 0x0a;
    },
    bytes: () => bytes,
    text: () => Buffer.concat(chunks).toString('utf8'),
  };
}

type Found = { readonly kind: 'found'; readonly path: string } | Absent;

interface Absent {
  readonly kind: 'absent';
  readonly code: 'ENOENT' | 'EACCES';
}

/**
 * Finds a program in the child's PATH, as the system does. The toolkit would use the PATH of this
 * process.
 */
async function findProgram(name: string, path: string): Promise<Found> {
  let code: Absent['code'] = 'ENOENT';
  for (const folder of path.split(delimiter)) {
    if (folder === '') continue;
    const candidate = join(folder, name);
    try {
      await access(candidate, constants.X_OK);
      return { kind: 'found', path: candidate };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EACCES') code = 'EACCES';
    }
  }
  return { kind: 'absent', code };
}

/** Quotes a path, because the toolkit splits its first argument at spaces. */
function quoted(path: string): string {
  return `"${path.replaceAll('"', '\\"')}"`;
}
