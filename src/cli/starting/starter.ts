import { formatYamlText } from '../../config/layers/document.ts';
import { jsonSchemaId } from '../../domain/project.ts';
import type { FoundInfrastructure, Repository } from './repository.ts';
import { moduleDirectory } from './root-module-copy.ts';
import {
  formatJobPrefix,
  formatYamlList,
  placeholder,
  type StackStart,
  type StartValues,
} from './start-values.ts';

/**
 * Renders an initial configuration. Values that only the operator knows are marked FILL_IN, and are
 * refused until replaced.
 */
export function renderStarter(
  repository: Repository,
  values: StartValues,
  terraform = false,
): string {
  const { stacks, gitlabUrl = placeholder, groupId = placeholder } = values;
  const isCanaryJob = repository.ci === 'gitlab';
  const entry = (stack: StackStart) =>
    renderStackEntry(stack, { isCanaryJob, isSingle: stacks.length === 1 });
  return `# yaml-language-server: $schema=${jsonSchemaId}
# The stacks of runners that hosted-runner deploys. Replace every FILL_IN, then check:
#   hosted-runner validate
# All keys, their defaults and their variables: docs/use/configuration.md of hosted-runner-deploy.
# No secrets here: the token comes from the environment, HOSTED_RUNNER_GITLAB_TOKEN.
version: 1

# Settings of all stacks; a stack can override each key.
defaults:
  gitlab:
    url: ${gitlabUrl}${gitlabUrl === placeholder ? ' # address of GitLab, such as https://gitlab.com' : ''}

  # The two copies of a stack. A deployment builds the inactive one.
  # shards: [pink, purple]

  registration:
    scope: group # or: instance, or: project with project_id
    group_id: ${groupId} # the group's id in GitLab

  infrastructure:
${terraform ? renderCopiedModule(values) : renderInfrastructure(repository.infrastructure)}
    # timeout: 1h

${renderCanary(repository.ci)}
  # How hosted-runner checks the host of a runner manager (SSM Run Command).
  # host:
  #   kind: docker # or: systemd
  #   name: gitlab-runner

  # healthcheck:
  #   timeout: 15m

  # Without a limit, a drain waits for the longest job, across several pipelines if necessary.
  # drain:
  #   timeout: 6h

stacks:
  # The runner_name: part of the name of every resource of the stack.
${stacks.flatMap(entry).map(indented('  ')).join('\n')}
`;
}

/** Renders the lines of a stack, indented by two spaces for each level. */
export function renderStackEntry(
  { name, tags }: StackStart,
  { isCanaryJob, isSingle }: { readonly isCanaryJob: boolean; readonly isSingle: boolean },
): string[] {
  const prefix = formatJobPrefix(name, isSingle);
  return [
    `${formatYamlText(name)}:`,
    '  registration:',
    `    tags: ${formatYamlList(tags)} # the tags that customers use in their jobs`,
    '    # run_untagged: false',
    ...(isCanaryJob && prefix !== undefined
      ? [
          '  canary:',
          `    job_name: "${prefix}hosted_runner_canary" # begins with job_prefix of the CI file`,
        ]
      : []),
  ];
}

export function indented(space: string): (line: string) => string {
  return (line) => `${space}${line}`;
}

function renderInfrastructure(found: FoundInfrastructure | undefined): string {
  if (found === undefined || found.kind === 'terraform') return renderTerraform(found?.directory);
  const [comment, apply, destroy] = proposeCommands(found);
  return `    # ${comment}
    # Lists of words without a shell; {shard} and {runner_name} are replaced.
    apply: ${apply}
    destroy: ${destroy}
    # pass_environment: [] # variables that the commands need besides those of AWS`;
}

/** Fills in the parts that the module's `backend "s3" {}` leaves open. */
function renderCopiedModule({ bucket = placeholder, region = placeholder }: StartValues): string {
  return `    # The root module that init --terraform wrote; you may change it.
    driver: terraform
    directory: ${moduleDirectory}
    # One state for each shard, in your bucket; use_lockfile needs Terraform 1.10.
    backend_config:
      - bucket=${bucket}
      - region=${region} # of the bucket
      - key=hosted-runners/{runner_name}/{shard}.tfstate
      - use_lockfile=true
    var_files: ["{runner_name}.tfvars"]
    # binary: tofu`;
}

function renderTerraform(directory: string | undefined): string {
  const found =
    directory === undefined
      ? `# Terraform or OpenTofu builds a shard, from a root module for one shard: your own, or a copy of
    # the module of hosted-runner init --terraform. Other tools: docs/use/configuration.md.`
      : `# Found Terraform in ${directory}: a root module for one shard, with the variables shard and runner_name.`;
  return `    ${found}
    driver: terraform
    directory: ${directory ?? 'FILL_IN # such as infrastructure'}
    # One state for each shard: a workspace, created if missing; or backend_config.
    workspace: "{runner_name}-{shard}"
    # binary: tofu
    # var_files: ["{runner_name}.tfvars"]`;
}

function proposeCommands({ kind, directory }: FoundInfrastructure): [string, string, string] {
  return kind === 'pulumi'
    ? [
        `Found Pulumi in ${directory}: one Pulumi stack for each shard.`,
        `[pulumi, up, --yes, --cwd, ${directory}, --stack, "{runner_name}-{shard}"]`,
        `[pulumi, destroy, --yes, --cwd, ${directory}, --stack, "{runner_name}-{shard}"]`,
      ]
    : [
        `Found the CDK in ${directory}: one CDK stack for each shard.`,
        `[npx, cdk, deploy, --require-approval, never, "{runner_name}-{shard}"]`,
        `[npx, cdk, destroy, --force, "{runner_name}-{shard}"]${directory === '.' ? '' : `\n    working_directory: ${directory}`}`,
      ];
}

function renderCanary(ci: Repository['ci']): string {
  if (ci === 'gitlab') {
    return `  # The job that verifies the candidate: a visible job of the same pipeline.
  # canary:
  #   kind: job
`;
  }
  return `  # The job that verifies the candidate. For GitHub, it runs in a separate GitLab project.
  canary:
    kind: project
    project: FILL_IN # its path, such as acme/runner-canary
`;
}

/**
 * Renders the subjects by which an AWS role trusts the workflow. Repositories created or renamed
 * since 15 July 2026 contain the ids of owner and repository. The form of this repository is
 * unknown here, and a policy may name both.
 */
export function renderSubjects({ projectPath, gitHubIds }: Repository): {
  readonly lines: readonly string[];
  /** Command that prints the ids, if they are not known here. */
  readonly idsCommand: string | undefined;
} {
  const path = projectPath ?? 'FILL_IN/FILL_IN';
  const [owner = '', ...rest] = path.split('/');
  const { owner: ownerId, repository: id } = gitHubIds ?? { owner: 'ID', repository: 'ID' };
  return {
    lines: [
      'Name the subject of the jobs in the trust policy of the AWS role. GitHub uses one of two forms:',
      '',
      `repo:${path}:ref:refs/heads/main`,
      `repo:${owner}@${ownerId}/${rest.join('/')}@${id}:ref:refs/heads/main`,
    ],
    idsCommand:
      gitHubIds === undefined ? `gh api repos/${path} --jq '"\\(.owner.id) \\(.id)"'` : undefined,
  };
}
