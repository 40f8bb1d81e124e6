import { openRecordFile } from '../adapters/system/event-file-writer.ts';
import { createSystemClock } from '../adapters/system/system-clock.ts';
import { createSystemRandom } from '../adapters/system/system-random.ts';
import type { Send } from '../adapters/transport/send.ts';
import { readFilePath } from '../cli/arguments.ts';
import { findCommand } from '../cli/commands/command-table.ts';
import { version } from '../domain/project.ts';
import { printable } from '../domain/text/show.ts';
import { recordingSend } from '../recording/recording.ts';

/**
 * Opens a sender that records all responses; undefined for a command without requests.
 * @throws DeployError if the file cannot be written: a missing recording would be noticed too late
 */
export function openRecording({
  command,
  file,
  redact,
  send,
  writeError,
}: {
  readonly command: string;
  readonly file: string;
  readonly redact: (text: string) => string;
  readonly send: Send;
  readonly writeError: (text: string) => void;
}): Send | undefined {
  // Help sends no requests either, and `replay` may read this very file.
  const definition = findCommand(command);
  if (definition === undefined || definition.isLocal === true) return undefined;
  const path = readFilePath(file, 'HOSTED_RUNNER_RECORD');
  const shown = printable(redact(path));
  const write = openRecordFile(path, {
    shown,
    onLost: (reason) =>
      writeError(`! Stopped the recording to ${shown}: it cannot be written (${reason}).\n`),
  });
  const random = createSystemRandom();
  return recordingSend(send, {
    program: version,
    run: random.id(),
    salt: `${random.id()}${random.id()}`,
    clock: createSystemClock(),
    redact,
    write,
  });
}
