import {
  closeSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';

/**
 * Refuses a path that leads through a symbolic link. Another job, or the repository, may have
 * created the link to redirect the output. Below the working directory, each part of the path is
 * checked. Elsewhere the operator chose the folder, and only the last part is checked.
 * @throws an error whose `code` names the link
 */
export function refuseLinks(path: string, base = resolve('.')): void {
  const absolute = resolve(base, path);
  // Standard output and similar paths are links that only the system creates.
  if (/^\/(?:dev|proc)\//.test(absolute)) return;
  const inside = relative(base, absolute);
  const isInside = inside !== '' && !isAbsolute(inside) && inside.split(sep)[0] !== '..';
  const names = isInside ? inside.split(sep) : [basename(absolute)];
  let place = isInside ? base : dirname(absolute);
  for (const name of names) {
    place = join(place, name);
    if (lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink() === true) {
      throw Object.assign(new Error(`${place} is a symbolic link`), {
        code: 'it leads through a symbolic link',
      });
    }
  }
}

/**
 * Creates the folders above a file one by one: below /proc, Node's recursive mkdir never returns.
 */
export function ensureFolder(path: string): void {
  if (existsSync(path)) return;
  ensureFolder(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    // Another process created it meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** Appends to a file that only its owner may read. Follows no link. */
export function appendOwn(path: string, text: string): void {
  refuseLinks(path);
  const { O_WRONLY, O_APPEND, O_CREAT } = constants;
  const isDevice = /^\/(?:dev|proc)\//.test(resolve(path));
  // Absent on Windows.
  const noFollow = isDevice ? 0 : (constants.O_NOFOLLOW ?? 0);
  const file = openSync(path, O_WRONLY | O_APPEND | O_CREAT | noFollow, 0o600);
  try {
    writeFileSync(file, text);
  } finally {
    closeSync(file);
  }
}

/** Replaces a whole file and follows no link. A reader finds the old or the new content. */
export function replaceOwn(path: string, text: string): void {
  refuseLinks(path);
  const draft = `${path}.new`;
  // The draft of a killed run, or a link, is removed by name and never opened.
  rmSync(draft, { force: true });
  writeFileSync(draft, text, { flag: 'wx' });
  renameSync(draft, path);
}
