import { initialise } from '../../src/cli/starting/init.ts';
import type { Dialogue } from '../../src/cli/starting/start-questions.ts';
import { dress, type TerminalStyle } from '../../src/cli/terminal/terminal-style.ts';
import type { RunnerName } from '../../src/domain/shard.ts';
import { folderOf } from './folder-in-memory.ts';

export async function init(
  files: Record<string, string>,
  options: {
    ci?: 'gitlab' | 'github';
    terraform?: boolean;
    force?: boolean;
    config?: string;
    json?: boolean;
    stacks?: readonly string[];
    /** Lines that the operator types at a terminal; without them there is no terminal. */
    answers?: readonly string[];
    environment?: Record<string, string>;
    /** Style of the terminal; a pipe if absent. */
    style?: TerminalStyle;
  } = {},
) {
  const { environment = {}, force = false, style, stacks, answers, ...rest } = options;
  const folder = folderOf(files);
  let output = '';
  const write = (text: string) => {
    output += text;
  };
  const show = (text: string) => write(style === undefined ? text : dress(text, style));
  const surroundings = { folder, environment, write, show };
  const names = stacks === undefined ? {} : { stacks: stacks as RunnerName[] };
  const { dialogue, dialog } = typing(answers ?? []);
  const terminal = answers === undefined ? {} : { dialogue };
  await initialise({ ...rest, ...names, force, color: true }, { ...surroundings, ...terminal });
  return { text: output, dialog, written: folder.files['hosted-runners.yml']!, surroundings };
}

/** Opens a terminal whose operator types the answers, and then ends the input. */
function typing(answers: readonly string[]) {
  const left = [...answers];
  const dialog: string[] = [];
  const dialogue: Dialogue = {
    prompt: async (question) => {
      const answer = left.shift();
      if (answer === undefined) throw new Error(`the input ends at: ${question}`);
      dialog.push(`${question}${answer}`);
      return answer;
    },
    show: (text) => dialog.push(text.trimEnd()),
  };
  return { dialogue, dialog };
}

/** Fills in the values that an operator would. */
export function fill(text: string): string {
  return text
    .replace('url: FILL_IN', 'url: https://gitlab.example.com')
    .replace('group_id: FILL_IN', 'group_id: 42')
    .replaceAll('/FILL_IN/hosted-runner-deploy', '/acme/hosted-runner-deploy')
    .replaceAll('uses: FILL_IN/', 'uses: acme/')
    .replaceAll(/(runner_tags: (?:&\w+ )?)\[FILL_IN\]/g, '$1[operations]')
    .replaceAll(
      /(aws_role(?:_arn)?: (?:&\w+ )?)FILL_IN/g,
      '$1arn:aws:iam::111122223333:role/deploy',
    )
    .replaceAll(/(aws_region: (?:&\w+ )?)FILL_IN/g, '$1eu-west-1')
    .replaceAll('tags: [FILL_IN]', 'tags: [linux]')
    .replace('project: FILL_IN', 'project: acme/canary')
    .replace('directory: FILL_IN', 'directory: infrastructure')
    .replace('bucket=FILL_IN', 'bucket=acme-states')
    .replace('region=FILL_IN', 'region=eu-west-1')
    .replace('repo:FILL_IN/FILL_IN', 'repo:acme/runners')
    .replace('project_path:FILL_IN', 'project_path:acme/runners')
    .replaceAll('"FILL_IN"', '"eu-west-1"');
}
