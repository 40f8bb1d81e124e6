import type { Origin } from '../transport/answers/shape.ts';
import type { GitHubAnswer, GitHubClient } from './github-client.ts';

/** Returns the origin of a read response, for the error about an unexpected shape. */
export function originOf(
  { redactor }: Pick<GitHubClient, 'redactor'>,
  { source }: Pick<GitHubAnswer, 'source'>,
): Origin {
  return { source, effect: 'none', redactor };
}
