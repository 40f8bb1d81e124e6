import { type ListedInput, listActionInputs } from './input-list.ts';

export interface WorkflowInput extends Omit<ListedInput, 'where'> {
  readonly type: 'string' | 'number' | 'boolean';
  readonly required?: boolean;
}

/** Inputs that only the reusable workflow has. */
const own: readonly WorkflowInput[] = [
  {
    name: 'runner_name',
    type: 'string',
    required: true,
    description: 'Name of the stack in the configuration.',
  },
  {
    name: 'runs_on',
    type: 'string',
    otherwise: '["ubuntu-latest"]',
    description:
      'Labels of the runner for the jobs, as a JSON list. Use a GitHub-hosted runner or a runner outside the stack.',
  },
  {
    name: 'approval_environment',
    type: 'string',
    otherwise: '',
    usual: 'none, so no approval is required',
    description:
      'Environment with required reviewers. provision then stops at healthy, and hosted_runner_promote switches after the approval.',
  },
  {
    name: 'bake',
    type: 'boolean',
    otherwise: 'false',
    description:
      'Whether the run has the job hosted_runner_bake, for configurations with bake.for. Without the job, finalize runs the bake.',
  },
  {
    name: 'timeout_minutes',
    type: 'number',
    otherwise: '350',
    description:
      'Timeout of each job, at most 360 on GitHub-hosted runners. One minute earlier, a drain ends with exit code 75 and can be run again.',
  },
  {
    name: 'aws_region',
    type: 'string',
    required: true,
    description: 'Region of the stack.',
  },
  {
    name: 'aws_role',
    type: 'string',
    otherwise: '',
    usual: 'none, so the credentials of the runner are used',
    description: 'ARN of the role that the jobs assume by OIDC and renew while they run.',
  },
  {
    name: 'aws_role_duration_seconds',
    type: 'number',
    otherwise: '3600',
    description: "Lifetime of the role's credentials, at most the role's maximum session duration.",
  },
  {
    name: 'terraform_version',
    type: 'string',
    otherwise: '',
    usual: 'none, so the program on PATH is used',
    description:
      'Version of Terraform to install, such as 1.13.5, because GitHub-hosted runners have none. OpenTofu must already be on PATH.',
  },
];

/**
 * Secrets of the workflow. The configuration decides which ones a stack needs; `prepare` reports
 * missing ones.
 */
export const workflowSecrets = [
  {
    name: 'gitlab_token',
    variable: 'HOSTED_RUNNER_GITLAB_TOKEN',
    description: 'GitLab token with scope api, for a stack of GitLab runners.',
  },
  {
    name: 'runners_token',
    variable: 'HOSTED_RUNNER_GITHUB_TOKEN',
    description:
      'Token that may administer the runners, for a stack of GitHub runners without an App.',
  },
  {
    name: 'runners_private_key',
    variable: 'HOSTED_RUNNER_GITHUB_PRIVATE_KEY',
    description:
      'Private key of the App that administers GitHub runners, if github.secret_parameter is not set.',
  },
] as const;

/** Token for requests to GitHub. hosted-runner has no variable for it. */
export const actionToken = {
  name: 'action_token',
  description:
    "Token that may read the repository of this workflow, if that repository is private or internal. By default the caller's token, which may read public repositories only.",
} as const;

export function listWorkflowInputs(): readonly WorkflowInput[] {
  const shared = listActionInputs()
    .filter(({ where }) => where.includes('workflow'))
    .map(({ where: _, ...input }): WorkflowInput => ({ ...input, type: 'string', otherwise: '' }));
  return [...own, ...shared];
}
