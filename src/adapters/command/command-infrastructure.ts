import type { CommandInfrastructure } from '../../domain/settings.ts';
import type { ShardPair, StackShard } from '../../domain/shard.ts';
import { fillAll } from '../../domain/text/placeholders.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Infrastructure, InfrastructureEvent } from '../../ports/infrastructure.ts';
import { redactLines } from '../transport/words/line-stream.ts';
import { type CommandEnvironment, commandEnvironment } from './command-environment.ts';
import { toCommandFailure } from './command-failure.ts';
import { probeCommands } from './command-probe.ts';
import { type RunningCommand, startCommand } from './command-process.ts';
import { createOutputReader, type JsonObject, splitOutputs } from './outputs.ts';

export interface CommandOptions {
  readonly settings: CommandInfrastructure;
  readonly shards: ShardPair;
  /** Returns the environment for a new process. Credentials are renewed during the run. */
  readonly environment: () => CommandEnvironment;
  readonly clock: Clock;
  readonly redact: (text: string) => string;
  /**
   * Interrupts the command once, and kills its process group before this process's own limit of
   * five seconds.
   */
  readonly signal?: (() => AbortSignal) | undefined;
}

/** Creates infrastructure that the user's own commands manage: Pulumi, CDK, Helm, scripts. */
export function createCommandInfrastructure(options: CommandOptions): Infrastructure {
  const { settings } = options;
  return {
    plan: () =>
      Promise.resolve({
        kind: 'unknown',
        summary: 'commands cannot report what they would change',
      }),
    apply: (shard) => act(options, { name: 'apply', command: settings.apply, shard }),
    destroy: (shard) => act(options, { name: 'destroy', command: settings.destroy, shard }),
    exists: (shard) => exists(options, shard),
    listKnown: () => Promise.resolve('unknown'),
    probe: (runnerName) => probeCommands(options, runnerName),
  };
}

interface Order {
  readonly name: 'apply' | 'destroy' | 'outputs';
  readonly command: readonly string[];
  readonly shard: StackShard;
}

async function* act(options: CommandOptions, order: Order): AsyncGenerator<InfrastructureEvent> {
  const found = yield* run(options, order);
  yield { kind: 'done', ...splitOutputs(found) };
}

/** Characters of a line that are shown. */
const mostShown = 4000;

/** Yields progress and returns the JSON object that the command printed last. */
async function* run(
  options: CommandOptions,
  order: Order,
): AsyncGenerator<InfrastructureEvent, JsonObject | undefined> {
  const child = await start(options, order);
  const reader = createOutputReader();
  const redact = { stdout: redactLines(options.redact), stderr: redactLines(options.redact) };
  const progress = (text: string) => ({ kind: 'progress', text }) as const;
  let lastError = '';
  let ended = false;
  try {
    for await (const { stream, text } of child.lines) {
      const lines = stream === 'stdout' ? reader.read(text) : [text];
      const shown = lines.map((line) => redact[stream](line.slice(0, mostShown)));
      for (const line of shown) {
        if (line.trim() === '') continue;
        if (stream === 'stderr') lastError = line;
        yield progress(line);
      }
    }
    for (const line of reader.end()) yield progress(redact.stdout(line.slice(0, mostShown)));
    const end = await child.end;
    ended = true;
    if (end.kind === 'exited' && end.code === 0) return reader.found;
    options.signal?.().throwIfAborted();
    throw toCommandFailure({ end, order, lastError });
  } finally {
    // A caller that stops reading also stops the command.
    if (!ended) child.stop();
  }
}

function start(options: CommandOptions, { command, shard }: Order): Promise<RunningCommand> {
  const { settings, environment, clock, signal } = options;
  const [file = '', ...rest] = fillAll(command, shard);
  const { passEnvironment, workingDirectory, timeoutMs } = settings;
  return startCommand({
    file,
    arguments: rest,
    environment: commandEnvironment({ environment: environment(), passEnvironment, shard }),
    workingDirectory,
    timeoutMs,
    clock,
    signal: signal?.(),
  });
}

async function exists(
  options: CommandOptions,
  shard: StackShard,
): Promise<'present' | 'absent' | 'unknown'> {
  const command = options.settings.outputs;
  if (command === undefined) return 'unknown';
  const output = run(options, { name: 'outputs', command, shard });
  let next = await output.next();
  while (!next.done) next = await output.next();
  switch (next.value?.['exists']) {
    case true:
      return 'present';
    case false:
      return 'absent';
    default:
      return 'unknown';
  }
}
