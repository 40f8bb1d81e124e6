import { isRefusal } from '../transport/answers/refusal.ts';

/**
 * That a thing, the project around it or the very route is not there has one status and no code: GitLab's
 * own words are all that tells them apart (lib/api/api.rb and lib/api/helpers.rb, compared with real answers
 * in src/recording/answer-data.ts). Anything else that says 404 may be a proxy.
 */
const words = {
  /** A job or a pipeline of a project that the token sees. */
  record: /^404 Not found$/,
  /** It is gone, or the token may not see it. */
  project: /^404 Project Not Found$/,
  /** The older words, and those from 19.2 on. */
  runner: /^404 (?:Not found|Runner Not Found)$/,
  /** Of a project or of a group (lib/api/ci/variables.rb, lib/api/group_variables.rb). */
  variable: /^404 (?:Group)?Variable Not Found$/,
  /** This version has no such route; with a capital letter. */
  route: /^404 Not Found$/,
} as const;

export function isNotFound(error: unknown, what: keyof typeof words): boolean {
  return isRefusal(error, 404) && words[what].test(error.detail);
}
