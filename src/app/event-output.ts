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
 * The events of the run go there as they happen and not at its end: a killed run leaves them, too. Users know
 * the file by this name and its flag, `--evidence-file`; here it is the event file, for evidence is one kind.
 */
const eventFileName = 'evidence.jsonl';

/** The file that was asked for by name, or else the one among the reports. */
export function eventFileOf(options: {
  readonly eventFile?: string | undefined;
  readonly reportDirectory?: string | undefined;
}): string | undefined {
  const { eventFile, reportDirectory } = options;
  if (eventFile !== undefined) return eventFile;
  return reportDirectory === undefined ? undefined : join(reportDirectory, eventFileName);
}

/** What a command fails with is the last of its events. */
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

/** Opened before anything is touched; what cannot be written keeps no command from its work. */
export async function openEvents(
  file: string,
  { showError, ...output }: Output & { readonly showError: (text: string) => void },
): Promise<(event: LogEvent) => void> {
  const { openEventFile } = await import('../adapters/system/event-file-writer.ts');
  const shown = printable(output.redact(file));
  const write = openEventFile(file, {
    shown,
    onLost: (reason) =>
      showError(`! The evidence in ${shown} ends here: it cannot be written (${reason}).\n`),
  });
  return openLines(write, output);
}

interface Output {
  readonly clock: Clock;
  readonly redact: Redactor['redact'];
}

/** The same lines wherever they go. */
export function openLines(
  write: (line: string) => void,
  { clock, redact }: Output,
): (event: LogEvent) => void {
  return createEventLines({ run: createSystemRandom().id(), clock, redact, write });
}
