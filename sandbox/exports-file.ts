import { lstatSync, readFileSync, renameSync, rmSync, type Stats, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { sandboxEnvUnusable } from '../src/errors/sandbox-errors.ts';

/** File of `--env`. */
export interface ExportsFile {
  readonly path: string;
  /** Replaces the whole file: a shell that reads it finds all exports or none. */
  write(text: string): void;
  /** Removes the file, unless another program has written it since. */
  remove(): void;
}

/**
 * Opens the file of `--env`. Fails before anything starts if the file cannot be written. Reserves
 * nothing.
 */
export function openExportsFile(given: string): ExportsFile {
  const path = resolve(given);
  const refuse = (why: string) => sandboxEnvUnusable({ path: given, why });
  const why = whyUnusable(path);
  if (why !== undefined) throw refuse(why);
  const draft = `${path}.${process.pid}.new`;
  const throughDraft = (text: string, use: () => void) => {
    try {
      // A link with the name of the draft is removed, never followed.
      rmSync(draft, { force: true });
      writeFileSync(draft, text, { mode: 0o600, flag: 'wx' });
      use();
    } catch (error) {
      // A draft contains the token, even if a full disk has cut it.
      removeIfPossible(draft);
      throw refuse(`${(error as Error).message}.`);
    }
  };
  throughDraft('', () => rmSync(draft));
  let written: string | undefined;
  return {
    path,
    write(text) {
      // The rename replaces a new link and does not follow it.
      throughDraft(text, () => renameSync(draft, path));
      written = text;
    },
    remove() {
      if (written === undefined || whyUnusable(path) !== undefined) return;
      if (find(path) !== undefined && readFileSync(path, 'utf8') === written) rmSync(path);
    },
  };
}

function removeIfPossible(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // The error of the write is reported; this one has the same cause.
  }
}

function whyUnusable(path: string): string | undefined {
  const there = find(path);
  if (there === undefined) return undefined;
  if (there.isDirectory()) return 'It is a directory.';
  if (there.isSymbolicLink()) return 'It is a symbolic link.';
  if (!there.isFile()) return 'It is not a regular file.';
  // Windows has no user ids.
  const isOwn = process.geteuid === undefined || there.uid === process.geteuid();
  return isOwn ? undefined : 'It belongs to another user.';
}

function find(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch {
    // The file is absent, or its parent is no folder: writing the draft reports the latter.
    return undefined;
  }
}
