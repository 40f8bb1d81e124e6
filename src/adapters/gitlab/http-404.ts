import { isRefusal } from '../transport/answers/refusal.ts';

/**
 * Messages that distinguish the kinds of 404. A missing resource, a missing project and a missing
 * route have the same status and no code (lib/api/api.rb and lib/api/helpers.rb). The messages
 * match real responses in src/recording/answer-data.ts. Any other 404 may come from a proxy.
 */
const words = {
  /** A job or pipeline of a visible project does not exist. */
  record: /^404 Not found$/,
  /** The project does not exist, or the token may not read it. */
  project: /^404 Project Not Found$/,
  /** The older message, and the message from 19.2 on. */
  runner: /^404 (?:Not found|Runner Not Found)$/,
  /**
   * A variable of a project or group does not exist (lib/api/ci/variables.rb,
   * lib/api/group_variables.rb).
   */
  variable: /^404 (?:Group)?Variable Not Found$/,
  /** A resource group does not exist: lib/api/ci/resource_groups.rb finds it with `find_by_key!`. */
  resourceGroup: /^404 (?:Not found|Resource Group Not Found)$/,
  /** This version lacks the route. The message has a capital F. */
  route: /^404 Not Found$/,
} as const;

export function isNotFound(error: unknown, what: keyof typeof words): boolean {
  return isRefusal(error, 404) && words[what].test(error.detail);
}
