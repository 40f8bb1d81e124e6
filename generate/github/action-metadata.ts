import { type ListedInput, listActionInputs } from '../../src/cli/github-action/input-list.ts';
import { describeInput } from './input-description.ts';

export interface ActionOutput {
  readonly name: string;
  readonly description: string;
}

const head = `# Generated from src/config and src/adapters/ci by \`npm run generate\`; edits here are lost.
name: Hosted runner deploy
description: Replaces the GitLab runners of a stack on AWS without losing a job.
author: hosted-runner-deploy
branding:
  icon: refresh-cw
  color: purple
`;

/** Renders action.yml. It requires no input: hosted-runner reports all missing ones at once. */
export function renderActionMetadata(outputs: readonly ActionOutput[]): string {
  return [
    head,
    'inputs:\n',
    ...listActionInputs()
      .filter(({ where }) => where.includes('action'))
      .map(renderInput),
    '\noutputs:\n',
    ...outputs.map(
      ({ name, description }) => `  ${name}:\n    description: ${JSON.stringify(description)}\n`,
    ),
    '\nruns:\n  using: node24\n  main: dist/index.js\n',
  ].join('');
}

function renderInput({ name, otherwise, ...input }: ListedInput): string {
  const lines = [
    `  ${name}:`,
    `    description: ${JSON.stringify(describeInput(input))}`,
    '    required: false',
    ...(otherwise === undefined ? [] : [`    default: ${JSON.stringify(otherwise)}`]),
  ];
  return `${lines.join('\n')}\n`;
}
