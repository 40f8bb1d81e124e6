import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Each file is there whole or not at all: the CI may collect them at any moment. */
export function writeReportFolder(
  folder: string,
  files: readonly { readonly name: string; readonly text: string }[],
): void {
  mkdirSync(folder, { recursive: true });
  for (const { name, text } of files) {
    const path = join(folder, name);
    writeFileSync(`${path}.new`, text);
    renameSync(`${path}.new`, path);
  }
}
