import { constants } from 'node:fs';
import { access, mkdir, open, readdir, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { refuseLinks } from '../../adapters/system/private-files.ts';
import { untilAborted } from '../../domain/background.ts';

/** Directory that a command works in. Paths are relative to it. */
export interface Folder {
  /** Finds an entry without opening it; undefined if it is absent. */
  check(
    path: string,
  ): Promise<{ readonly kind: FolderEntry['kind']; readonly bytes: number } | undefined>;
  /** Reads a file; undefined if it is absent. */
  read(path: string): Promise<string | undefined>;
  /** Returns the absolute path without links; undefined if the file is absent. */
  realPath(path: string): Promise<string | undefined>;
  /** Writes a file; returns false if it exists and `overwrite` is not set. */
  write(file: { path: string; text: string; overwrite: boolean }): Promise<boolean>;
  /** Replaces the text of an existing file. After an error, the file has its old text. */
  replace(file: { path: string; text: string }): Promise<void>;
  /** Removes a file; an absent file is no error. */
  remove(path: string): Promise<void>;
  /** Creates a directory with its parents; an existing one stays unchanged. */
  makeDirectory(path: string): Promise<void>;
  /** Lists a directory; empty if it is no directory or belongs to another user. */
  list(path: string): Promise<readonly FolderEntry[]>;
}

export interface FolderEntry {
  readonly name: string;
  readonly kind: 'file' | 'directory' | 'other';
}

export function openFolder(root: string): Folder {
  return {
    check: async (path) => {
      const found = await stat(absolute(root, path)).catch(absentAs(undefined));
      return found && { kind: kindOf(found), bytes: found.size };
    },
    read: (path) => readRegular(absolute(root, path)).catch(absentAs(undefined)),
    realPath: (path) => realpath(absolute(root, path)).catch(absentAs(undefined)),
    write: ({ path, text, overwrite }) => write(absolute(root, path), text, overwrite),
    replace: ({ path, text }) => replace(absolute(root, path), text),
    remove: (path) => rm(absolute(root, path), { force: true }),
    makeDirectory: async (path) => {
      refuseLinks(absolute(root, path));
      await mkdir(absolute(root, path), { recursive: true });
    },
    list: async (path) => {
      const entries = await readdir(absolute(root, path), { withFileTypes: true }).catch(
        absentAs([], 'EACCES', 'EPERM'),
      );
      return entries.map((entry) => ({
        name: entry.name,
        kind: kindOf(entry),
      }));
    },
  };
}

/** Returns a folder whose reads end with the signal, even if the file system hangs. */
export function withCancel(folder: Folder, signal: AbortSignal): Folder {
  return {
    check: (path) => untilAborted(folder.check(path), signal),
    read: (path) => untilAborted(folder.read(path), signal),
    realPath: (path) => untilAborted(folder.realPath(path), signal),
    // A write is not interrupted: its result must be known.
    write: folder.write,
    replace: folder.replace,
    remove: folder.remove,
    makeDirectory: folder.makeDirectory,
    list: (path) => untilAborted(folder.list(path), signal),
  };
}

async function write(path: string, text: string, overwrite: boolean): Promise<boolean> {
  // `wx` below reports a link at the end of the path as an existing file.
  refuseLinks(overwrite ? path : dirname(path));
  // `wx` lets the file system decide, so a file that appears meanwhile is not lost.
  const file = await open(path, overwrite ? 'w' : 'wx').catch((error: unknown) => {
    if (codeOf(error) === 'EEXIST') return undefined;
    throw error;
  });
  if (file === undefined) return false;
  try {
    await file.writeFile(text);
    return true;
  } catch (error) {
    // On a full disk, the new and empty file would block the next attempt.
    if (!overwrite) await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}

async function replace(path: string, text: string): Promise<void> {
  refuseLinks(path);
  // A rename would also replace a file that is write-protected.
  await access(path, constants.W_OK);
  const { mode } = await stat(path);
  const draft = `${path}.${process.pid}.new`;
  const file = await open(draft, 'wx', mode);
  try {
    await file.writeFile(text).finally(() => file.close());
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** Reads regular files only: a pipe may block forever, and a device never ends. */
async function readRegular(path: string): Promise<string> {
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const found = await file.stat();
    if (found.isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' });
    if (!found.isFile()) throw Object.assign(new Error(), { code: 'not a regular file' });
    return await file.readFile('utf8');
  } finally {
    await file.close();
  }
}

function kindOf(entry: { isDirectory(): boolean; isFile(): boolean }): FolderEntry['kind'] {
  if (entry.isDirectory()) return 'directory';
  return entry.isFile() ? 'file' : 'other';
}

function absolute(root: string, path: string): string {
  return path.startsWith('/') ? path : join(root, path);
}

function absentAs<Value>(value: Value, ...others: readonly string[]): (error: unknown) => Value {
  return (error) => {
    if (['ENOENT', 'ENOTDIR', ...others].includes(codeOf(error))) return value;
    throw error;
  };
}

function codeOf(error: unknown): string {
  return String((error as { code?: unknown }).code);
}
