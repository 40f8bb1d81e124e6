import { join } from 'node:path';
import { ensureFolder, refuseLinks, replaceOwn } from './private-files.ts';

/**
 * Writes each file completely or not at all, because the CI may collect the files at any moment.
 * Follows no link.
 */
export function writeReportFolder(
  folder: string,
  files: readonly { readonly name: string; readonly text: string }[],
): void {
  refuseLinks(folder);
  ensureFolder(folder);
  for (const { name, text } of files) replaceOwn(join(folder, name), text);
}
