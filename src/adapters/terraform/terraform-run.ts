import type { StackShard } from '../../domain/shard.ts';
import { terraformMissing } from '../../errors/terraform-errors.ts';
import { PortFailure } from '../../ports/failure.ts';
import { droppedLine, readBeginning, readLines } from '../transport/words/line-stream.ts';
import type { Message } from './diagnostics.ts';
import {
  type Diagnostic,
  mostDiagnostics,
  parseMessage,
  readDiagnostic,
  readTextDiagnostics,
} from './diagnostics.ts';
import { terraformEnvironment } from './terraform-environment.ts';
import type { TerraformOptions } from './terraform-options.ts';
import { type Child, type ChildEnd, type ChildRequest, startChild } from './terraform-process.ts';
import { type ReadResult, runRead } from './terraform-read.ts';

export interface TerraformOrder {
  /** Command such as `plan`, for errors. */
  readonly command: string;
  readonly arguments: readonly string[];
  readonly shard: StackShard;
  readonly directory: string;
  readonly dataDirectory: string;
}

/** End of a command that failed. */
export interface Failure {
  readonly end: ChildEnd;
  readonly diagnostics: readonly Diagnostic[];
}

export type Ended<Printed> =
  | ({ readonly kind: 'done' } & Printed)
  | ({ readonly kind: 'failed' } & Failure);

/** Complete output of a command. More than 256 MB is a failure. */
interface Whole {
  readonly stdout: string;
}

/** Runs a read-only command and returns its output, which never reaches a log. */
export async function runForOutput(
  options: TerraformOptions,
  order: TerraformOrder,
): Promise<Ended<Whole>> {
  const seen = await runRead(requestOf(options, order));
  const ended = endOf(options, order, seen);
  return ended.kind === 'done' ? { ...ended, stdout: seen.stdout } : ended;
}

/**
 * Runs a command with an effect. On a cancel, it may finish its current operation. Only the
 * beginning of its output is kept, for errors.
 */
export async function capture(
  options: TerraformOptions,
  order: TerraformOrder,
): Promise<Ended<object>> {
  const child = startChild(requestOf(options, order));
  const [stdout, stderr, end] = await Promise.all([
    readBeginning(child.stdout),
    readBeginning(child.stderr),
    child.end,
  ]);
  return endOf(options, order, { stdout, stderr, end });
}

function endOf(
  options: TerraformOptions,
  order: TerraformOrder,
  { stdout, stderr, end }: ReadResult,
): Ended<object> {
  if (end.kind === 'exited' && end.code === 0) return { kind: 'done' };
  refuseMissing(options, order, end);
  options.signal?.().throwIfAborted();
  const fromStream = stdout.split('\n').flatMap((line) => {
    const message = parseMessage(line);
    return (message === undefined ? undefined : readDiagnostic(message)) ?? [];
  });
  return { kind: 'failed', end, diagnostics: mergeDiagnostics(fromStream, stderr) };
}

function mergeDiagnostics(messages: readonly Diagnostic[], stderr: string): readonly Diagnostic[] {
  return [...messages.slice(0, mostDiagnostics), ...readTextDiagnostics(stderr)];
}

function keep(diagnostics: Diagnostic[], one: Diagnostic): void {
  if (diagnostics.length < mostDiagnostics) diagnostics.push(one);
}

/** Message that exceeds the limit. Whether it was an error, outputs or a change is unknown. */
const dropped: Message = { type: 'dropped' };

/** Runs a command with `-json`, yields its messages and returns its end. */
export async function* stream(
  options: TerraformOptions,
  order: TerraformOrder,
  onStart: (pid: number | undefined) => Promise<void>,
): AsyncGenerator<Message, Failure | undefined> {
  const child = startChild(requestOf(options, order));
  const stderr = readBeginning(child.stderr);
  const diagnostics: Diagnostic[] = [];
  let ended = false;
  try {
    await onStart(child.pid);
    for await (const line of readLines(child.stdout.iterator({ destroyOnReturn: false }))) {
      const message = line === droppedLine ? dropped : parseMessage(line);
      if (message === undefined) continue;
      const diagnostic = readDiagnostic(message);
      if (diagnostic !== undefined) keep(diagnostics, diagnostic);
      // After a cancel, messages are dropped, and Terraform still writes its state.
      else if (!options.signal?.().aborted) yield message;
    }
    const end = await child.end;
    ended = true;
    if (end.kind === 'exited' && end.code === 0) return undefined;
    refuseMissing(options, order, end);
    options.signal?.().throwIfAborted();
    return { end, diagnostics: mergeDiagnostics(diagnostics, await stderr) };
  } finally {
    // If the caller stops reading, Terraform must not block on a full pipe.
    if (!ended) abandon(child);
  }
}

function requestOf(options: TerraformOptions, order: TerraformOrder): ChildRequest {
  const { settings, environment, clock, signal } = options;
  return {
    file: settings.binary,
    arguments: order.arguments,
    environment: terraformEnvironment({
      environment: environment(),
      passEnvironment: settings.passEnvironment,
      dataDirectory: order.dataDirectory,
    }),
    workingDirectory: order.directory,
    timeoutMs: settings.timeoutMs,
    clock,
    signal: signal?.(),
  };
}

function abandon(child: Child): void {
  child.interrupt();
  child.stdout.resume();
}

function refuseMissing(options: TerraformOptions, { shard }: TerraformOrder, end: ChildEnd): void {
  if (end.kind !== 'not_started') return;
  const { binary } = options.settings;
  if (end.code === 'ENOENT') {
    throw terraformMissing({ runner: shard.runnerName, shard: shard.shard, binary });
  }
  throw new PortFailure({
    kind: 'refused',
    effect: 'none',
    source: binary,
    detail: `it could not be started (${end.code})`,
  });
}
