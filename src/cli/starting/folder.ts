import { constants } from 'node:fs';
import { mkdir, open, readdir, realpath, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { refuseLinks } from '../../adapters/system/private-files.ts';
import { untilAborted } from '../../domain/background.ts';

/** The directory that a command works in. Paths are relative to it. */
export interface Folder {
  /** Without opening it; undefined where there is nothing of that name. */
  look(
    path: string,
  ): Promise<{ readonly kind: FolderEntry['kind']; readonly bytes: number } | undefined>;
  /** Undefined where there is no such file. */
  read(path: string): Promise<string | undefined>;
  /** The absolute path without links, or undefined if there is no such file. */
  realPath(path: string): Promise<string | undefined>;
  /** Whether it was written: without `overwrite`, an existing file stays as it is. */
  write(file: { path: string; text: string; overwrite: boolean }): Promise<boolean>;
  /** With those above it; one that is there is left as it is. */
  makeDirectory(path: string): Promise<void>;
  /** Nothing where it is no directory, or one of somebody else's. */
  list(path: string): Promise<readonly FolderEntry[]>;
}

export interface FolderEntry {
  readonly name: string;
  readonly kind: 'file' | 'directory' | 'other';
}

export function openFolder(root: string): Folder {
  return {
    look: async (path) => {
      const found = await stat(absolute(root, path)).catch(absentAs(undefined));
      return found && { kind: kindOf(found), bytes: found.size };
    },
    read: (path) => readRegular(absolute(root, path)).catch(absentAs(undefined)),
    realPath: (path) => realpath(absolute(root, path)).catch(absentAs(undefined)),
    write: ({ path, text, overwrite }) => write(absolute(root, path), text, overwrite),
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

/** A file system that hangs keeps nobody who was told to end. */
export function withCancel(folder: Folder, signal: AbortSignal): Folder {
  return {
    look: (path) => untilAborted(folder.look(path), signal),
    read: (path) => untilAborted(folder.read(path), signal),
    realPath: (path) => untilAborted(folder.realPath(path), signal),
    // What is written is not left half told.
    write: folder.write,
    makeDirectory: folder.makeDirectory,
    list: (path) => untilAborted(folder.list(path), signal),
  };
}

async function write(path: string, text: string, overwrite: boolean): Promise<boolean> {
  // `wx` below finds a link at the end of the path by itself, and reports it as a file that exists.
  refuseLinks(overwrite ? path : dirname(path));
  // `wx` leaves the decision to the file system, so that nobody's file is lost in between.
  const file = await open(path, overwrite ? 'w' : 'wx').catch((error: unknown) => {
    if (codeOf(error) === 'EEXIST') return undefined;
    throw error;
  });
  if (file === undefined) return false;
  try {
    await file.writeFile(text);
    return true;
  } catch (error) {
    // On a full disk our new, empty file would stand in the way of the next attempt.
    if (!overwrite) await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}

/** A pipe that nobody writes to would keep us for ever, and a device never ends. */
async function readRegular(path: string): Promise<string> {
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const found = await file.stat();
    if (found.isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' });
    if (!found.isFile()) throw Object.assign(new Error(), { code: 'it is no regular file' });
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
