import type { Origin } from '../transport/answers/shape.ts';
import type { GitHubAnswer, GitHubClient } from './github-client.ts';

/** Of an answer that was read, for what is said where it has another shape. */
export function originOf(
  { redactor }: Pick<GitHubClient, 'redactor'>,
  { source }: Pick<GitHubAnswer, 'source'>,
): Origin {
  return { source, effect: 'none', redactor };
}
