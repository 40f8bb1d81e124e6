import { type ActionInput, listActionInputs } from './action-inputs.ts';

export interface WorkflowInput extends Omit<ActionInput, 'where'> {
  readonly type: 'string' | 'number' | 'boolean';
  readonly required?: boolean;
}

/** Inputs that only the reusable workflow has. */
const own: readonly WorkflowInput[] = [
  {
    name: 'runner_name',
    type: 'string',
    required: true,
    description: 'The stack, by its name in the configuration.',
  },
  {
    name: 'runs_on',
    type: 'string',
    otherwise: '["ubuntu-latest"]',
    description:
      'Labels of the runner that the jobs run on, as a list in JSON. A GitHub-hosted runner, or one that is not part of the stack.',
  },
  {
    name: 'approval_environment',
    type: 'string',
    otherwise: '',
    usual: 'none, and no approval',
    description:
      'An environment with required reviewers. With it provision stops at healthy, and hosted_runner_promote switches after the approval.',
  },
  {
    name: 'bake',
    type: 'boolean',
    otherwise: 'false',
    description:
      'Whether the run has hosted_runner_bake, because bake.for is given in the configuration. Without that job finalize does its work.',
  },
  {
    name: 'timeout_minutes',
    type: 'number',
    otherwise: '350',
    description:
      'How long each job may take. A drain ends with exit code 75 a minute before, and is run again. GitHub-hosted runners end a job after 360.',
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
    usual: 'none: the credentials of the runner itself',
    description: 'ARN of the role that the jobs take by OIDC, and take again as long as they run.',
  },
  {
    name: 'aws_role_duration_seconds',
    type: 'number',
    otherwise: '3600',
    description:
      "How long the role's credentials last each time; at most its own maximum session duration.",
  },
  {
    name: 'terraform_version',
    type: 'string',
    otherwise: '',
    usual: 'none: what the runner has on PATH',
    description:
      'Terraform to install, such as 1.13.5. A GitHub-hosted runner has none. OpenTofu has to be on PATH.',
  },
];

/** Which of them a stack needs is said by its configuration, and that a needed one is missing by `prepare`. */
export const workflowSecrets = [
  {
    name: 'gitlab_token',
    variable: 'HOSTED_RUNNER_GITLAB_TOKEN',
    description: "GitLab token with scope api, for a stack of GitLab's runners.",
  },
  {
    name: 'runners_token',
    variable: 'HOSTED_RUNNER_GITHUB_TOKEN',
    description:
      "Token that may administer the runners, for a stack of GitHub's runners without an App.",
  },
  {
    name: 'runners_private_key',
    variable: 'HOSTED_RUNNER_GITHUB_PRIVATE_KEY',
    description:
      "Private key of the App that administers the runners, for a stack of GitHub's runners, where github.secret_parameter does not name it.",
  },
] as const;

/** No variable of the program's: GitHub itself is asked with it. */
export const actionToken = {
  name: 'action_token',
  description:
    'Token that may read the repository of this workflow, where it is private or internal and the caller is another one. By default the token of the caller, which may read public repositories only.',
} as const;

export function listWorkflowInputs(): readonly WorkflowInput[] {
  const shared = listActionInputs()
    .filter(({ where }) => where.includes('workflow'))
    .map(({ where: _, ...input }): WorkflowInput => ({ ...input, type: 'string', otherwise: '' }));
  return [...own, ...shared];
}
