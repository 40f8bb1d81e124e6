import { initialise } from '../../src/cli/starting/init.ts';
import { dress, type TerminalStyle } from '../../src/cli/terminal/terminal-style.ts';
import { folderOf } from './folder-in-memory.ts';

export async function init(
  files: Record<string, string>,
  options: {
    ci?: 'gitlab' | 'github';
    terraform?: boolean;
    force?: boolean;
    config?: string;
    json?: boolean;
    environment?: Record<string, string>;
    /** Style of the terminal; a pipe if absent. */
    style?: TerminalStyle;
  } = {},
) {
  const { environment = {}, force = false, style, ...rest } = options;
  const folder = folderOf(files);
  let output = '';
  const write = (text: string) => {
    output += text;
  };
  const show = (text: string) => write(style === undefined ? text : dress(text, style));
  const surroundings = { folder, environment, write, show };
  await initialise({ ...rest, force, color: true }, surroundings);
  return { text: output, written: folder.files['hosted-runners.yml']!, surroundings };
}

/** Fills in the values that an operator would. */
export function fill(text: string): string {
  return text
    .replace('url: FILL_IN', 'url: https://gitlab.example.com')
    .replace('group_id: FILL_IN', 'group_id: 42')
    .replace('tags: [FILL_IN]', 'tags: [linux]')
    .replace('project: FILL_IN', 'project: acme/canary')
    .replace('directory: FILL_IN', 'directory: infrastructure')
    .replace('bucket=FILL_IN', 'bucket=acme-states')
    .replace('region=FILL_IN', 'region=eu-west-1')
    .replace('project_path:FILL_IN', 'project_path:acme/runners')
    .replaceAll('"FILL_IN"', '"eu-west-1"');
}
