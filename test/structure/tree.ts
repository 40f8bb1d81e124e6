import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

/** Folders that git ignores or that contain other projects' files. */
const skipped = new Set([
  '.git',
  'node_modules',
  'build',
  'coverage',
  '.ci/tools',
  '.ci/reports',
  '.hosted-runner',
  '.gitlab-ci-local',
]);

/**
 * Lists paths of the repository's own files, relative to its root, with forward slashes, sorted.
 */
export function filesBelow(folder: string): string[] {
  const found: string[] = [];
  for (const entry of entriesOf(join(root, folder))) {
    const path = relative(root, join(root, folder, entry.name))
      .split(sep)
      .join('/');
    if (skipped.has(path) || skipped.has(entry.name)) continue;
    if (entry.isDirectory()) found.push(...filesBelow(path));
    else if (entry.isFile() && !entry.name.endsWith('.log')) found.push(path);
  }
  return found.sort();
}

export function read(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
