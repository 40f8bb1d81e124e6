import type { World } from './world.ts';

/** The oldest that is supported, and versions up to the newest between which something differs here. */
export const gitlabVersions = ['17.5', '18.7', '18.9', '19.3'] as const;
export type GitLabVersion = (typeof gitlabVersions)[number];

/**
 * By the oldest of the names above that has it for certain. Between two names nothing is known: the
 * older one is taken for the less convenient, which is an assumption for 18.7 and 18.9 where it says 19.3.
 */
const since = {
  /** A token that was verified makes a runner and its manager contacted; nothing has asked for a job. */
  verifyIsContact: '18.7',
  executionInRest: '18.9',
  executionIgnoresCanceling: '19.3',
  /** That the last manager left does not clear a runner's contact any more. */
  contactOutlivesManagers: '19.3',
  cancelingEndsSooner: '19.3',
  /** A job that is being cancelled can be ended without its runner. */
  forcedCancel: '19.3',
} as const satisfies Record<string, GitLabVersion>;

/** Whether the world's GitLab has it; the newest where nothing else is said. */
export function gitlabHas({ behaviour }: World, feature: keyof typeof since): boolean {
  const { gitlab = '19.3' } = behaviour;
  return gitlabVersions.indexOf(gitlab) >= gitlabVersions.indexOf(since[feature]);
}
