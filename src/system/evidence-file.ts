import { appendFileSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { evidenceUnwritable } from '../errors/output.ts';
import { systemReason } from '../errors/system-reason.ts';

/**
 * Appends line by line, so that a killed process leaves every event before its death. A file that can
 * no longer be written ends where it is: half a line would spoil the next one, and no deployment stops
 * for it.
 * @throws DeployError `EvidenceUnwritable` where it cannot be written from the beginning.
 */
export function openEvidenceFile(
  path: string,
  { shown, onLost }: { readonly shown: string; readonly onLost: (reason: string) => void },
): (line: string) => void {
  let lost = false;
  try {
    mkdirSync(dirname(path), { recursive: true });
    append(path, '');
  } catch (error) {
    throw evidenceUnwritable({ file: shown, reason: systemReason(error) });
  }
  return (line) => {
    if (lost) return;
    try {
      append(path, `${line}\n`);
    } catch (error) {
      lost = true;
      onLost(systemReason(error));
    }
  };
}

function append(path: string, text: string): void {
  appendFileSync(path, text, { mode: 0o600 });
}
