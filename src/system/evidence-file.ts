import { appendFileSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/** Appends line by line, so that a killed process leaves every event before its death. */
export function openEvidenceFile(path: string): (line: string) => void {
  mkdirSync(dirname(path), { recursive: true });
  return (line) => appendFileSync(path, `${line}\n`, { mode: 0o600 });
}
