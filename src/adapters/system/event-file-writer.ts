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
 * Appends line by line, so that a killed process leaves every event before its death. A file that can
 * no longer be written ends where it is: half a line would spoil the next one, and no deployment stops
 * for it.
 * @throws DeployError `EvidenceUnwritable` where it cannot be written from the beginning.
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
 * The same for a recording, which is a file and nothing else: a pipe that nobody reads would hold up
 * the deployment that is recorded.
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
  if (isFile === false) throw refused('it is no file');
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
