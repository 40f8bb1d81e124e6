import { formatYamlText } from '../../config/layers/document.ts';
import { version } from '../../domain/project.ts';
import type { Repository } from './repository.ts';
import { bootstrapDirectory } from './root-module-copy.ts';
import {
  formatJobPrefix,
  formatYamlList,
  placeholder,
  type StackStart,
  type StartValues,
} from './start-values.ts';
import { indented } from './starter.ts';

type Ci = Repository['ci'];

/** File from which the CI creates its pipelines or runs. */
export const ciPaths: Readonly<Record<Ci, string>> = {
  gitlab: '.gitlab-ci.yml',
  github: '.github/workflows/hosted-runners.yml',
};

export interface CiFacts {
  readonly ci: Ci;
  readonly values: StartValues;
  /** Path of the configuration, if it is not the default. */
  readonly config: string | undefined;
  /** Whether the jobs assume the role of the bootstrap root module. */
  readonly usesRole: boolean;
  /** Whether the pipeline contains the canary job. */
  readonly isCanaryJob: boolean;
}

/** Renders the CI's file with all stacks. */
export function renderCiFile(facts: CiFacts): string {
  return facts.ci === 'gitlab' ? renderGitLabFile(facts) : renderGitHubFile(facts);
}

/** Renders the parts of the CI's file that deploy stacks beside other stacks. */
export function renderAddedStacks(facts: CiFacts): string {
  const render = facts.ci === 'gitlab' ? renderDeployInclude : renderGitHubJob;
  return `${facts.values.stacks.flatMap((stack) => render(stack, false, facts)).join('\n')}\n`;
}

const branch = '$CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH';
const schedule = `$CI_PIPELINE_SOURCE == "schedule" && ${branch}`;
const deployRules = [
  `${schedule} && $CI_PIPELINE_SCHEDULE_DESCRIPTION == "deploy runners"`,
  `$CI_PIPELINE_SOURCE == "web" && ${branch}`,
];
const finalizeRules = [`${schedule} && $CI_PIPELINE_SCHEDULE_DESCRIPTION != "deploy runners"`];

function renderGitLabFile(facts: CiFacts): string {
  const { stacks } = facts.values;
  const isSingle = stacks.length === 1;
  const deploy = stacks.flatMap((stack, index) =>
    renderDeployInclude(stack, isSingle, facts, index === 0 ? anchored : aliased),
  );
  const finalize = renderInclude('finalize', facts, {
    first: [`runner_names: ${formatYamlList(stacks.map(({ name }) => name))}`],
    shared: aliased,
    rules: finalizeRules,
  });
  return `# Deploys runners. All inputs: docs/use/inputs-gitlab.md of hosted-runner-deploy.
# A pipeline that you start on the default branch deploys. Create two schedules of this branch:
# - Every week, with the description "deploy runners": it deploys.
# - Every hour, with another description: it finishes the work of failed and cancelled pipelines.
# GitLab before 17.8 does not report the description to jobs: set a variable in the weekly schedule,
# and compare it instead.
workflow:
  auto_cancel:
    on_new_commit: none
    on_job_failure: none

include:
  # The address contains the group that publishes hosted-runner-deploy on your GitLab.
${[...deploy, '', ...finalize].join('\n')}
`;
}

/** Renders an input whose value all includes of a file share. */
type SharedInput = (name: string, value: string) => string;

const anchored: SharedInput = (name, value) => `${name}: &${name} ${value}`;
const aliased: SharedInput = (name) => `${name}: *${name}`;
const unshared: SharedInput = (name, value) => `${name}: ${value}`;

function renderDeployInclude(
  stack: StackStart,
  isSingle: boolean,
  facts: CiFacts,
  shared: SharedInput = unshared,
): string[] {
  const prefix = formatJobPrefix(stack.name, isSingle);
  return renderInclude('deploy', facts, {
    first: [
      `runner_name: ${formatYamlText(stack.name)}`,
      ...(prefix === undefined ? [] : [`job_prefix: "${prefix}"`]),
      ...(facts.isCanaryJob ? [] : ['canary: false']),
    ],
    shared,
    rules: deployRules,
  });
}

function renderInclude(
  component: 'deploy' | 'finalize',
  { values, config, usesRole }: CiFacts,
  {
    first,
    shared,
    rules,
  }: {
    readonly first: readonly string[];
    readonly shared: SharedInput;
    readonly rules: readonly string[];
  },
): string[] {
  const { publisher = placeholder, runnerTags, roleArn, region = placeholder } = values;
  const tags = `${formatYamlList(runnerTags)} # tags of a protected runner outside the stacks`;
  const role = roleArn ?? `${placeholder} # output aws_role of ${bootstrapDirectory}`;
  return [
    `  - component: $CI_SERVER_FQDN/${publisher}/hosted-runner-deploy/${component}@${version}`,
    '    inputs:',
    ...[
      ...first,
      shared('runner_tags', tags),
      ...(config === undefined ? [] : [`config: ${config}`]),
      ...(usesRole ? [shared('aws_role_arn', role), shared('aws_region', region)] : []),
      'rules:',
      ...rules.map((rule) => `  - if: ${rule}`),
    ].map(indented('      ')),
  ];
}

function renderGitHubFile(facts: CiFacts): string {
  const { stacks } = facts.values;
  return `# Deploys runners when you start it. All inputs: docs/use/inputs-github.md of hosted-runner-deploy.
# Also add examples/github/finalize.yml of hosted-runner-deploy. Its schedule finishes interrupted work.
name: hosted-runners
on: workflow_dispatch
permissions:
  contents: read
  actions: read
  id-token: write
jobs:
  # The address contains the user or organization that publishes hosted-runner-deploy on your GitHub.
${stacks.flatMap((stack) => renderGitHubJob(stack, stacks.length === 1, facts)).join('\n')}
`;
}

function renderGitHubJob(
  { name }: StackStart,
  _isSingle: boolean,
  { values, config, usesRole }: CiFacts,
): string[] {
  const { publisher = placeholder, runnerTags: labels = [placeholder], roleArn, region } = values;
  const role = roleArn ?? `${placeholder} # output aws_role of ${bootstrapDirectory}`;
  const runsOn = JSON.stringify(['self-hosted', ...labels.filter((one) => one !== 'self-hosted')]);
  return [
    // The id of a job begins with a letter or an underscore.
    `  ${/^\d/.test(name) ? `_${name}` : formatYamlText(name)}:`,
    `    uses: ${publisher}/hosted-runner-deploy/.github/workflows/hosted-runner-deploy.yml@${version}`,
    '    with:',
    ...[
      `runner_name: ${formatYamlText(name)}`,
      `aws_region: ${region ?? placeholder}`,
      ...(usesRole ? [`aws_role: ${role}`] : []),
      `runs_on: '${runsOn.replaceAll("'", "''").replaceAll('","', '", "')}'`,
      ...(config === undefined ? [] : [`config: ${config}`]),
    ].map(indented('      ')),
    '    secrets:',
    `      gitlab_token: \${{ secrets.HOSTED_RUNNER_GITLAB_TOKEN }}`,
  ];
}

/** Finds the values of a CI file that deploys stacks. Placeholders count as unknown. */
export function findCiValues(ci: Ci, text: string): Partial<StartValues> {
  const find = (pattern: RegExp) => {
    const [, value] = pattern.exec(text) ?? [];
    return value === undefined || value.includes(placeholder) ? undefined : value;
  };
  const tags = find(
    ci === 'gitlab'
      ? /^ *runner_tags: *(?:&\w+ )?\[([^\]\n]+)\]/m
      : /^ *runs_on: *'\["self-hosted", *([^\]\n]+)\]'/m,
  );
  return {
    publisher: find(
      ci === 'gitlab'
        ? /^ *- *component: *\$CI_SERVER_FQDN\/([\w./-]+)\/hosted-runner-deploy\/deploy@/m
        : /^ *uses: *([\w.-]+)\/hosted-runner-deploy\/\.github\//m,
    ),
    runnerTags: tags?.split(',').map((tag) => tag.trim().replace(/^(["'])(.*)\1$/, '$2')),
    region: find(/^ *aws_region: *(?:&\w+ )?([a-z]+(?:-[a-z]+)+-\d+)/m),
    roleArn: find(/^ *aws_role(?:_arn)?: *(?:&\w+ )?(arn:[\w:/+=,.@-]+)/m),
  };
}
