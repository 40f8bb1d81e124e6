import { tokenMissing } from '../../errors/credential-errors.ts';

const variables = ['HOSTED_RUNNER_GITLAB_TOKEN', 'GITLAB_TOKEN'] as const;

/**
 * Returns the GitLab token, which may only come from the environment.
 * @throws DeployError `TokenMissing`, also for a value that no header can carry
 */
export function gitlabToken(environment: Readonly<Record<string, string | undefined>>): string {
  for (const variable of variables) {
    const token = environment[variable]?.trim() ?? '';
    if (token === '') continue;
    if (/^[\x21-\x7e]+$/.test(token)) return token;
    throw tokenMissing({ malformed: variable });
  }
  throw tokenMissing();
}
