import { validateConfiguration } from '../../../src/cli/validate-command.ts';
import { refusal } from '../../config/loading.ts';
import { folderOf } from '../folder-in-memory.ts';

export const configuration = `version: 1
defaults:
  gitlab: { url: https://gitlab.example.com }
  registration: { scope: group, group_id: 42, tags: [linux, docker] }
  infrastructure: { apply: [a, "{shard}"], destroy: [d, "{shard}"] }
stacks:
  linux: {}
  arm: { canary: { kind: "off" } }
`;

/** Returns the problems, or the warnings of valid files. */
export async function findings(
  files: Record<string, string>,
  /** Codes of the system for files that cannot be read. */
  unreadable: Readonly<Record<string, string>> = {},
): Promise<readonly string[]> {
  let printed = '';
  const folder = folderOf({ 'hosted-runners.yml': configuration, ...files });
  const error = await refusal(() =>
    validateConfiguration(
      { overrides: [], color: true },
      {
        folder: {
          ...folder,
          read: async (path) => {
            const code = unreadable[path];
            if (code !== undefined) throw Object.assign(new Error(code), { code });
            return folder.read(path);
          },
        },
        environment: {},
        write: (text) => {
          printed += text;
        },
      },
    ),
  );
  return error?.fields.why ?? printed.match(/⚠ (?!arm: ).*/g) ?? [];
}
