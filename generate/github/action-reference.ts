import { code, table } from '../markdown.ts';
import { type ActionInput, listActionInputs } from './action-inputs.ts';
import type { ActionOutput } from './action-metadata.ts';
import {
  actionToken,
  listWorkflowInputs,
  type WorkflowInput,
  workflowSecrets,
} from './workflow-inputs.ts';

const introduction = `# Inputs and outputs on GitHub

<!-- Generated from src/config and src/adapters/ci by \`npm run generate\`; edits here are lost. -->

How they are used: [github.md](github.md). Every other key of the configuration is in
\`hosted-runners.yml\` or a variable of the job: [configuration.md](configuration.md).
An empty input is as good as none.
`;

/** docs/use/inputs-github.md */
export function renderActionReference(outputs: readonly ActionOutput[]): string {
  return [
    introduction,
    '## The action\n',
    table(
      ['input', 'default', 'what it does'],
      listActionInputs()
        .filter(({ where }) => where.includes('action'))
        .map((input) => [code(input.name), usualOf(input), input.description]),
    ),
    '\n## The reusable workflow\n',
    table(
      ['input', 'type', 'default', 'what it does'],
      listWorkflowInputs().map((input) => [
        code(input.name),
        input.type,
        input.required ? '**required**' : usualOf(input),
        input.description,
      ]),
    ),
    '\n',
    table(
      ['secret', 'what it is'],
      [...workflowSecrets, actionToken].map(({ name, description }) => [code(name), description]),
    ),
    '\n## Outputs\n',
    'The action and the workflow have the same ones.\n',
    table(
      ['output', 'what it is'],
      outputs.map(({ name, description }) => [code(name), description]),
    ),
  ]
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .concat('\n');
}

function usualOf({ otherwise, usual }: ActionInput | WorkflowInput): string {
  if (otherwise !== undefined && otherwise !== '') return code(otherwise);
  return usual ?? '';
}
