import { ownVariables } from '../../src/config/layers/variable-names.ts';
import { keyTable, type NamedKey } from '../../src/domain/keys/key-table.ts';
import { code, table } from '../markdown.ts';

export const referencePath = 'docs/use/configuration.md';

const introduction = `# Configuration

<!-- Generated from src/config by \`npm run generate\`; edits here are lost. -->

One file, \`hosted-runners.yml\`, describes every stack. \`hosted-runner init\` writes it and
\`hosted-runner validate\` checks it. A complete example is \`examples/hosted-runners.yml\`.

Editors check the file against the schema that its first line names. Without internet access, put the path of
\`schema/hosted-runners.schema.json\` into that line: \`# yaml-language-server: $schema=PATH\`.

\`\`\`yaml
version: 1
defaults: # for every stack, merged key by key
  gitlab:
    url: https://gitlab.example.com
stacks:
  linux: # the runner_name
    registration:
      scope: group
      group_id: 42
      tags: [linux]
    infrastructure:
      apply: [./infrastructure, apply, "{shard}", "{runner_name}"]
      destroy: [./infrastructure, destroy, "{shard}", "{runner_name}"]
\`\`\`

## Order of precedence

From the highest precedence to the lowest:

1. \`--set drain.timeout=2h\`
2. the environment, for example \`HOSTED_RUNNER_DRAIN_TIMEOUT=2h\`
3. the stack in the file
4. \`defaults\` in the file
5. the default in the table below

An empty variable is ignored. An unknown \`HOSTED_RUNNER_…\` variable is an error. Flags and variables apply to every
stack. The order applies to each key separately; a list is replaced as a whole.

| value | syntax |
| --- | --- |
| list in a flag or variable | \`linux,docker\`, or JSON |
| command in a flag or variable | JSON: \`["./apply", "{shard}"]\` |
| duration | \`90s\`, \`15m\`, \`1h30m\`, \`2d\`; a number without a unit is refused |
| secret | only in the environment; a file that contains a secret is refused |

## Restrictions of variables

Users who may start a pipeline can often set its variables ([how to prevent this](gitlab.md#pipeline-variables)). Variables
take precedence over the file. To lock keys or whole sections against variables and flags, list them at the top
level of the file:

\`\`\`yaml
locked: [drain.force_after, infrastructure, aws]
\`\`\`

A variable or flag that repeats the value of a locked key is allowed. These keys and variables are always restricted:

| key or variable | restriction |
| --- | --- |
| \`gitlab.url\` | Required in the file, also in GitLab CI, because pipeline variables can replace \`CI_SERVER_URL\`. |
| \`github.url\` | Required in the file for workflows on a GitHub Enterprise Server, because that address receives the workflow's token. |
| \`HOSTED_RUNNER_GITLAB_URL\`, \`HOSTED_RUNNER_GITHUB_URL\` | Must repeat the address in the file, or be a loopback address. |
| \`HOSTED_RUNNER_CONFIG\` | Must name a file of the repository. Symbolic links are resolved before the check. |
`;

export function renderReference(): string {
  const sections = [
    introduction,
    '## Keys of a stack\n',
    'The column *input* names inputs of the GitHub action and workflow; of these, the GitLab templates have only `drain_force_after`.\n',
    table(['key', 'value', 'default', 'purpose', 'variable', 'input'], keyTable.map(describe)),
    '\n## Variables without a key\n',
    table(
      ['variable', 'purpose'],
      ownVariables.map(({ name, description }) => [code(name), description]),
    ),
  ];
  return sections.join('\n').concat('\n');
}

function describe(one: NamedKey): string[] {
  return [
    code(one.name),
    one.accepts.typeText,
    defaultOf(one),
    one.description,
    code(one.variable),
    one.pipeline === true ? code(one.input) : '',
  ];
}

function defaultOf({ default: value, otherwise = '', required }: NamedKey): string {
  if (value !== undefined) return code(typeof value === 'string' ? value : JSON.stringify(value));
  return [
    ...(required === true ? ['**required**'] : []),
    ...(otherwise === '' ? [] : [otherwise]),
  ].join('; ');
}
