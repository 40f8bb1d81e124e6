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
