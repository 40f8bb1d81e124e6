import { ownVariables } from '../../src/config/layers/variable-names.ts';
import { keyTable, type NamedKey } from '../../src/domain/keys/key-table.ts';
import { code, table } from '../markdown.ts';

export const referencePath = 'docs/use/configuration.md';

const introduction = `# Configuration

<!-- Generated from src/config by \`npm run generate\`; edits here are lost. -->

One file, \`hosted-runners.yml\`, describes every stack. \`hosted-runner init\` writes it,
\`hosted-runner validate\` checks it, and editors check it against
\`schema/hosted-runners.schema.json\`. A complete one is in \`examples/hosted-runners.yml\`.
The first line of what \`init\` writes names the schema of its own version, in the project that releases it;
without the internet put the path of the schema's file in its place: \`# yaml-language-server: $schema=PATH\`.
A file without that line is known to editors by its name once SchemaStore has taken \`schema/schemastore-entry.json\`.

\`\`\`yaml
version: 1
defaults: # what every stack starts from, key by key
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

## Where a value comes from

The strongest first:

1. \`--set drain.timeout=2h\`
2. the environment: \`HOSTED_RUNNER_DRAIN_TIMEOUT=2h\`. An empty variable is as good as none; an unknown \`HOSTED_RUNNER_…\` variable is an error
3. the stack in the file
4. \`defaults\` in the file
5. the default below

Whoever may start a pipeline may give it variables, and these go before everything that a repository
says. The file alone names the servers that get a token: \`gitlab.url\` is required, in GitLab CI as
well, because a pipeline's variables replace \`CI_SERVER_URL\`. \`HOSTED_RUNNER_GITLAB_URL\` and
\`HOSTED_RUNNER_GITHUB_URL\` may repeat the file's address or name loopback, and nothing else. If a
workflow runs on a GitHub Enterprise Server, the file needs \`github.url\`, also for GitLab's runners: the
workflow's token is sent there. \`HOSTED_RUNNER_CONFIG\` may name a file of the repository, not the file
of a variable: links are resolved before the check. Any other key is closed to variables and flags by

\`\`\`yaml
locked: [drain.force_after, infrastructure, aws] # keys, or whole sections
\`\`\`

beside \`stacks\`; a template's input that repeats the file's value is fine. Who may give a pipeline
variables at all is a setting of GitLab's: [gitlab.md](gitlab.md#who-may-set-variables).

Keys are merged one by one; a list replaces the whole list. Flags and variables apply to every stack.
A list in a flag or variable is written \`linux,docker\` or as JSON, a command always as JSON:
\`["./apply", "{shard}"]\`. A duration is written \`90s\`, \`15m\`, \`1h30m\` or \`2d\`, never as a bare number.
Secrets come from the environment only; a file with something that looks like a secret is refused.
`;

export function renderReference(): string {
  const sections = [
    introduction,
    '## Keys of a stack\n',
    'Every key can be given in the file, as a variable and by `--set`. A key with an input name is also an input of the GitHub action and of the reusable workflow; of the GitLab templates only `drain_force_after` is, as their jobs read the same file.\n',
    table(['key', 'value', 'default', 'what it does', 'variable', 'input'], keyTable.map(describe)),
    '\n## Variables that are no keys\n',
    table(
      ['variable', 'what it does'],
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
