import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { evidenceUnwritable, recordUnwritable } from '../../errors/output-errors.ts';
import { systemReason } from '../../errors/system-reason.ts';
import { appendOwn, ensureFolder, refuseLinks } from './private-files.ts';

interface Opening {
  readonly shown: string;
  readonly onLost: (reason: string) => void;
}

/**
 * Opens a file that each event is appended to at once, so a killed process leaves all earlier
 * events. After a failed write, the file ends: half a line would corrupt the next one. The
 * deployment continues.
 * @throws DeployError `EvidenceUnwritable` if the file cannot be written at the start
 */
export function openEventFile(path: string, opening: Opening): (line: string) => void {
  try {
    begin(path);
  } catch (error) {
    throw evidenceUnwritable({ file: opening.shown, reason: systemReason(error) });
  }
  return appending(path, opening);
}

/**
 * Opens a file for a recording. It must be a regular file: a pipe without a reader would block the
 * deployment.
 * @throws DeployError `RecordUnwritable`
 */
export function openRecordFile(path: string, opening: Opening): (line: string) => void {
  const refused = (reason: string) => recordUnwritable({ file: opening.shown, reason });
  let isFile: boolean | undefined;
  try {
    isFile = statSync(path, { throwIfNoEntry: false })?.isFile();
    if (isFile !== false) begin(path);
  } catch (error) {
    throw refused(systemReason(error));
  }
  if (isFile === false) throw refused('it is not a file');
  return appending(path, opening);
}

function begin(path: string): void {
  refuseLinks(path);
  ensureFolder(dirname(path));
  appendOwn(path, '');
}

function appending(path: string, { onLost }: Opening): (line: string) => void {
  let lost = false;
  return (line) => {
    if (lost) return;
    try {
      appendOwn(path, `${line}\n`);
    } catch (error) {
      lost = true;
      onLost(systemReason(error));
    }
  };
}
