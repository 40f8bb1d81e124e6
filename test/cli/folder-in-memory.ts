import type { Folder } from '../../src/cli/starting/folder.ts';

/** Opens a folder in memory. `files` contains the written files. */
export function folderOf(
  files: Record<string, string>,
): Folder & { files: Record<string, string> } {
  return {
    files,
    check: async (path) =>
      files[path] === undefined
        ? undefined
        : { kind: 'file', bytes: Buffer.byteLength(files[path]) },
    read: async (path) => files[path],
    realPath: async (path) => (files[path] === undefined ? undefined : `/${path}`),
    write: async ({ path, text, overwrite }) => {
      if (files[path] !== undefined && !overwrite) return false;
      files[path] = text;
      return true;
    },
    replace: async ({ path, text }) => {
      files[path] = text;
    },
    remove: async (path) => {
      delete files[path];
    },
    makeDirectory: async () => {},
    list: async (path) => {
      const start = path === '.' ? '' : `${path}/`;
      const inside = Object.keys(files)
        .filter((file) => file.startsWith(start))
        .map((file) => file.slice(start.length));
      const names = new Set(inside.map((rest) => rest.split('/')[0] ?? ''));
      return [...names].map((name) => ({
        name,
        kind: inside.includes(name) ? ('file' as const) : ('directory' as const),
      }));
    },
  };
}
