import type { PortFailure } from '../ports/failure.ts';
import { DeployError } from './deploy-error.ts';

const longer =
  'Let them renew themselves: `aws_role` of the action, `aws_role_arn` of the templates (docs/use/permissions.md#credentials-that-end).';

/** Before the next effect is begun. The next run has credentials of its own. */
export function credentialsEnd(facts: {
  runner: string;
  stage: string;
  left: string;
}): DeployError {
  const { runner, stage, left } = facts;
  return new DeployError({
    code: 'CredentialsEnded',
    exitCode: 75,
    what: `The AWS credentials ${left} and could not be renewed; nothing more was begun.`,
    why: ['What is begun with them may be cut off in the middle.'],
    fix: [{ say: 'Go on with new ones', again: stage, runner }, longer],
  });
}

/** AWS took them in this run before. */
export function credentialsEnded(failure: PortFailure, again: string): DeployError {
  return new DeployError({
    code: 'CredentialsEnded',
    exitCode: 75,
    what: `${failure.source} says that the credentials have ended.`,
    why: [`"${failure.detail}"`],
    fix: [`Go on with new ones: ${again}`, longer],
  });
}

export function tokenMissing({ malformed }: { malformed?: string } = {}): DeployError {
  return new DeployError({
    code: 'TokenMissing',
    exitCode: 2,
    what: 'There is no GitLab token in the environment; nothing was touched.',
    why: [
      malformed === undefined
        ? 'Neither HOSTED_RUNNER_GITLAB_TOKEN nor GITLAB_TOKEN is set.'
        : `${malformed} is set to something with spaces, lines or characters that no token has.`,
    ],
    now: 'Nothing was asked of GitLab or AWS.',
    fix: ['Give it a token with the scope api: export HOSTED_RUNNER_GITLAB_TOKEN=…'],
  });
}

export function githubSecretMissing({
  variable,
  parameter,
}: {
  variable: string;
  parameter: string | undefined;
}): DeployError {
  return new DeployError({
    code: 'GitHubSecretMissing',
    exitCode: 2,
    what: 'There is no secret for GitHub; nothing was touched.',
    why: [
      parameter === undefined
        ? `${variable} is not set, and github.secret_parameter names no parameter.`
        : `Parameter Store has no ${parameter}, which github.secret_parameter names.`,
    ],
    now: 'Nothing was asked of GitHub.',
    fix: [
      parameter === undefined
        ? `Give it one: export ${variable}=…`
        : `Put it there: aws ssm put-parameter --type SecureString --name ${parameter} --value …`,
    ],
  });
}
