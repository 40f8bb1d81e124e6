import { join } from 'node:path';
import { createSystemRandom } from '../adapters/system/system-random.ts';
import type { Redactor } from '../adapters/transport/words/redaction.ts';
import { printable } from '../domain/text/show.ts';
import type { Typed } from '../errors/fix-line.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log, LogEvent } from '../ports/log-event.ts';
import { createEventLines } from '../report/event-file/event-lines.ts';
import { endEvent } from '../report/event-file/run-lines.ts';

/**
 * File for the events of a run. Events are written as they happen, so even a killed run leaves
 * them. Users know the file by this name and its flag, `--evidence-file`; in the code it is the
 * event file, because evidence is only one kind of event.
 */
const eventFileName = 'evidence.jsonl';

/** Returns the file that an option names, or the one in the report folder. */
export function eventFileOf(options: {
  readonly eventFile?: string | undefined;
  readonly reportDirectory?: string | undefined;
}): string | undefined {
  const { eventFile, reportDirectory } = options;
  if (eventFile !== undefined) return eventFile;
  return reportDirectory === undefined ? undefined : join(reportDirectory, eventFileName);
}

/** Writes the error of a command as its last event. */
export async function reportingFailure<T>(
  { log, typed, runner }: { log: Pick<Log, 'event'>; typed: Typed; runner?: string },
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { asDeployError } = await import('../errors/external-errors.ts');
    log.event(endEvent({ error: asDeployError(error, typed.again(runner)).asTyped(typed) }));
    throw error;
  }
}

/** Opens the event file before any effect. If it cannot be written, the command continues. */
export async function openEvents(
  file: string,
  { showError, ...output }: Output & { readonly showError: (text: string) => void },
): Promise<(event: LogEvent) => void> {
  const { openEventFile } = await import('../adapters/system/event-file-writer.ts');
  const shown = printable(output.redact(file));
  const write = openEventFile(file, {
    shown,
    onLost: (reason) =>
      showError(`! Stopped writing the evidence to ${shown}: it cannot be written (${reason}).\n`),
  });
  return openLines(write, output);
}

interface Output {
  readonly clock: Clock;
  readonly redact: Redactor['redact'];
}

/** Formats events as lines for any output. */
export function openLines(
  write: (line: string) => void,
  { clock, redact }: Output,
): (event: LogEvent) => void {
  return createEventLines({ run: createSystemRandom().id(), clock, redact, write });
}
