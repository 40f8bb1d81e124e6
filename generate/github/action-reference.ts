import { type ListedInput, listActionInputs } from '../../src/cli/github-action/input-list.ts';
import {
  actionToken,
  listWorkflowInputs,
  type WorkflowInput,
  workflowSecrets,
} from '../../src/cli/github-action/workflow-inputs.ts';
import { code, table } from '../markdown.ts';
import type { ActionOutput } from './action-metadata.ts';

const introduction = `# Inputs and outputs on GitHub

<!-- Generated from src/config and src/adapters/ci by \`npm run generate\`; edits here are lost. -->

Usage: [github.md](github.md). Set all other keys in \`hosted-runners.yml\`, or as variables of the job:
[configuration.md](configuration.md).

- An empty input is ignored.
- An input with a key takes precedence over the file, unless the file locks the key.
- \`gitlab_url\` may only repeat the address in the file, because that address receives the token.
`;

/** Renders docs/use/inputs-github.md. */
export function renderActionReference(outputs: readonly ActionOutput[]): string {
  return [
    introduction,
    '## The action\n',
    table(
      ['input', 'default', 'purpose', 'key'],
      listActionInputs()
        .filter(({ where }) => where.includes('action'))
        .map((input) => [code(input.name), usualOf(input), input.description, keyOf(input)]),
    ),
    '\n## The reusable workflow\n',
    table(
      ['input', 'type', 'default', 'purpose', 'key'],
      listWorkflowInputs().map((input) => [
        code(input.name),
        input.type,
        input.required ? '**required**' : usualOf(input),
        input.description,
        keyOf(input),
      ]),
    ),
    '\n',
    table(
      ['secret', 'content'],
      [...workflowSecrets, actionToken].map(({ name, description }) => [code(name), description]),
    ),
    '\n## Outputs\n',
    'The action and the workflow have the same outputs.\n',
    table(
      ['output', 'content'],
      outputs.map(({ name, description }) => [code(name), description]),
    ),
  ]
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .concat('\n');
}

function keyOf({ key }: Pick<ListedInput, 'key'>): string {
  return key === undefined ? '' : code(key);
}

function usualOf({ otherwise, usual }: ListedInput | WorkflowInput): string {
  if (otherwise !== undefined && otherwise !== '') return code(otherwise);
  return usual ?? '';
}
