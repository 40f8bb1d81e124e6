import { tokenMissing } from './errors/world.ts';

/** Secrets come from the environment only. */
export function gitlabToken(environment: Readonly<Record<string, string | undefined>>): string {
  const token = environment['HOSTED_RUNNER_GITLAB_TOKEN'] || environment['GITLAB_TOKEN'];
  if (token === undefined || token === '') throw tokenMissing();
  return token.trim();
}
