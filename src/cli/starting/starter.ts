import { jsonSchemaId, version } from '../../domain/project.ts';
import type { FoundInfrastructure, Repository } from './repository.ts';
import { moduleDirectory } from './root-module-copy.ts';

/**
 * Renders an initial configuration. Values that only the operator knows are marked FILL_IN, and are
 * refused until replaced.
 */
export function renderStarter(repository: Repository, terraform = false): string {
  const { gitlabUrl = 'FILL_IN', infrastructure } = repository;
  return `# yaml-language-server: $schema=${jsonSchemaId}
# The stacks of runners that hosted-runner deploys. Replace every FILL_IN, then check:
#   hosted-runner validate
# All keys, their defaults and their variables: docs/use/configuration.md of hosted-runner-deploy.
# No secrets here: the token comes from the environment, HOSTED_RUNNER_GITLAB_TOKEN.
version: 1

# Settings of all stacks; a stack can override each key.
defaults:
  gitlab:
    url: ${gitlabUrl}${gitlabUrl === 'FILL_IN' ? ' # address of GitLab, such as https://gitlab.com' : ''}

  # The two copies of a stack. A deployment builds the inactive one.
  # shards: [pink, purple]

  registration:
    scope: group # or: instance, or: project with project_id
    group_id: FILL_IN # the group's id in GitLab

  infrastructure:
${terraform ? copiedModule : renderInfrastructure(infrastructure)}
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
  linux:
    registration:
      tags: [FILL_IN] # the tags that customers use in their jobs
      # run_untagged: false
`;
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
const copiedModule = `    # The root module that init --terraform wrote; you may change it.
    driver: terraform
    directory: ${moduleDirectory}
    # One state for each shard, in your bucket; use_lockfile needs Terraform 1.10.
    backend_config:
      - bucket=FILL_IN
      - region=FILL_IN # of the bucket
      - key=hosted-runners/{runner_name}/{shard}.tfstate
      - use_lockfile=true
    var_files: ["{runner_name}.tfvars"]
    # binary: tofu`;

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

/** Returns the text for the CI's own configuration. */
export function renderSnippet(ci: Repository['ci']): string {
  return ci === 'gitlab' ? gitlabSnippet : githubSnippet;
}

const gitlabSnippet = `include:
  # The group that publishes this project on your GitLab.
  - component: $CI_SERVER_FQDN/FILL_IN/hosted-runner-deploy/deploy@${version}
    inputs:
      runner_name: linux
      runner_tags: [FILL_IN] # tags of a protected runner outside this stack
`;

const githubSnippet = `name: hosted-runners
on: workflow_dispatch
permissions:
  contents: read
  actions: read
  id-token: write
jobs:
  linux:
    # The user or organization that publishes this project on your GitHub.
    uses: FILL_IN/hosted-runner-deploy/.github/workflows/hosted-runner-deploy.yml@${version}
    with:
      runner_name: linux
      aws_region: FILL_IN
      runs_on: '["self-hosted", "FILL_IN"]'
    secrets:
      gitlab_token: \${{ secrets.HOSTED_RUNNER_GITLAB_TOKEN }}
`;

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
