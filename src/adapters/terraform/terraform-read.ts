import { AsyncLocalStorage } from 'node:async_hooks';
import type { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { cancelGraceMs } from '../../ports/effect.ts';
import type { ChildEnd, ChildRequest } from './terraform-process.ts';

/** What a command printed, and how it ended. */
export interface ReadResult {
  readonly end: ChildEnd;
  readonly stdout: string;
  readonly stderr: string;
}

// Nothing is lost with a command that only looks, and a cancel leaves this process five seconds.
const graceMs = cancelGraceMs - 1000;
/** After its end, for what it has started and what still holds its output. */
const closeWithinMs = 500;
/** More than any state or plan; what is more than that, no text can hold soon after. */
const usualBytes = 256 * 1024 * 1024;

/**
 * Runs a command that changes nothing, by GitHub's toolkit: silent, in exactly this environment, with
 * all of its output. The toolkit has neither a limit nor a way to end what it started; both are here.
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
  /** Runs what starts one child, to that child's end or a little past the time it was given. */
  hold(start: () => Promise<number>): Promise<ChildEnd>;
  stop(why: 'cancelled' | 'timed_out' | 'flooded'): void;
}

/** Of which leash a child is started. One for all: Node tells each promise to every one that was ever used. */
const startedFor = new AsyncLocalStorage<object>();

/** The toolkit tells nobody which process it has started; Node does, to who asks beforehand. */
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
      // Nothing is asked of it; an input that stays open could be waited for.
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
      // One that cannot even be killed, on a disk that hangs, is not waited for.
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

/** Whatever still holds its output keeps nobody from ending. */
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
      // The toolkit seeks lines in all that came since the last one, again with each chunk, and JSON
      // is one line: minutes for what is read in a second. What it is given ends a line each time.
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

/** In the child's own PATH, as the system would; the toolkit looks in ours. */
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

/** The toolkit takes its first argument apart at spaces. */
function quoted(path: string): string {
  return `"${path.replaceAll('"', '\\"')}"`;
}
