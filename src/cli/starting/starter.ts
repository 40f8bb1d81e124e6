import { jsonSchemaId, version } from '../../domain/project.ts';
import type { FoundInfrastructure, Repository } from './repository.ts';
import { moduleDirectory } from './root-module-copy.ts';

/** A configuration to start from; what only a person knows is marked FILL_IN and refused until then. */
export function renderStarter(repository: Repository, terraform = false): string {
  const { gitlabUrl = 'FILL_IN', infrastructure } = repository;
  return `# yaml-language-server: $schema=${jsonSchemaId}
# The stacks of runners that hosted-runner deploys. Fill in what says FILL_IN, then check:
#   hosted-runner validate
# All keys, their defaults and their variables: docs/use/configuration.md of hosted-runner-deploy.
# No secrets here: the token comes from the environment, HOSTED_RUNNER_GITLAB_TOKEN.
version: 1

# What every stack starts from, key by key.
defaults:
  gitlab:
    url: ${gitlabUrl}${gitlabUrl === 'FILL_IN' ? ' # where GitLab is, such as https://gitlab.com' : ''}

  # The two copies of a stack. One is active, the other one is built afresh.
  # shards: [pink, purple]

  registration:
    scope: group # or: instance, or: project with project_id
    group_id: FILL_IN # the number below the group's name in GitLab

  infrastructure:
${terraform ? copiedModule : renderInfrastructure(infrastructure)}
    # timeout: 1h

${renderCanary(repository.ci)}
  # How the host of a runner manager is asked, through SSM Run Command.
  # host:
  #   kind: docker # or: systemd
  #   name: gitlab-runner

  # healthcheck:
  #   timeout: 15m

  # Without a limit a drain waits as long as the longest job, over as many pipelines as it takes.
  # drain:
  #   timeout: 6h

stacks:
  # The runner_name: part of the name of everything that belongs to the stack.
  linux:
    registration:
      tags: [FILL_IN] # what customers write in their jobs
      # run_untagged: false
`;
}

function renderInfrastructure(found: FoundInfrastructure | undefined): string {
  if (found === undefined || found.kind === 'terraform') return renderTerraform(found?.directory);
  const [comment, apply, destroy] = proposeCommands(found);
  return `    # ${comment}
    # Lists of words, no shell reads them; {shard} and {runner_name} are filled in.
    apply: ${apply}
    destroy: ${destroy}
    # pass_environment: [] # names of variables that the commands need besides those of AWS`;
}

/** With what its `backend "s3" {}` leaves open. */
const copiedModule = `    # The root module that init --terraform wrote; it is yours to change.
    driver: terraform
    directory: ${moduleDirectory}
    # A state for each shard, in a bucket of yours; use_lockfile needs Terraform 1.10.
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
    # what hosted-runner init --terraform writes. Commands of your own: docs/use/configuration.md.`
      : `# Found Terraform in ${directory}: a root module for one shard, with the variables shard and runner_name.`;
  return `    ${found}
    driver: terraform
    directory: ${directory ?? 'FILL_IN # such as infrastructure'}
    # A state for each shard: a workspace, made where it is missing; or backend_config.
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
    return `  # The job that proves the candidate: a visible one of the same pipeline.
  # canary:
  #   kind: job
`;
  }
  return `  # The job that proves the candidate. From GitHub it runs in a GitLab project of its own.
  canary:
    kind: project
    project: FILL_IN # its path, such as acme/runner-canary
`;
}

/** What goes into the CI's own configuration. */
export function renderSnippet(ci: Repository['ci']): string {
  return ci === 'gitlab' ? gitlabSnippet : githubSnippet;
}

const gitlabSnippet = `include:
  # The group that publishes this project on your GitLab.
  - component: $CI_SERVER_FQDN/FILL_IN/hosted-runner-deploy/deploy@${version}
    inputs:
      runner_name: linux
      runner_tags: [FILL_IN] # of a protected runner outside of this stack
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
 * The subjects by which a role on AWS trusts the workflow. Repositories that were created or renamed
 * since 15 July 2026 have the ids of their owner and of themselves in them; nothing here tells which
 * form is this one's, and a policy may name both.
 */
export function renderSubjects({ projectPath, gitHubIds }: Repository): {
  readonly lines: readonly string[];
  /** What prints the ids, where they are not known here. */
  readonly idsCommand: string | undefined;
} {
  const path = projectPath ?? 'FILL_IN/FILL_IN';
  const [owner = '', ...rest] = path.split('/');
  const { owner: ownerId, repository: id } = gitHubIds ?? { owner: 'ID', repository: 'ID' };
  return {
    lines: [
      "The trust policy of the role on AWS names the jobs' subject in both forms, of which one is yours:",
      '',
      `repo:${path}:ref:refs/heads/main`,
      `repo:${owner}@${ownerId}/${rest.join('/')}@${id}:ref:refs/heads/main`,
    ],
    idsCommand:
      gitHubIds === undefined ? `gh api repos/${path} --jq '"\\(.owner.id) \\(.id)"'` : undefined,
  };
}
