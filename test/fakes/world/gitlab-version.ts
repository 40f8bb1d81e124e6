import type { World } from './world.ts';

/** Oldest supported version, and each newer version up to the newest with a difference. */
export const gitlabVersions = ['17.5', '18.7', '18.9', '19.3'] as const;
export type GitLabVersion = (typeof gitlabVersions)[number];

/**
 * Oldest version above that certainly has each feature. Between two versions, the older one gets
 * the less convenient behaviour. For 18.7 and 18.9 with a value of 19.3, this is an assumption.
 */
const since = {
  /**
   * Token verification counts as a contact of the runner and its manager, without any job request.
   */
  verifyIsContact: '18.7',
  executionInRest: '18.9',
  executionIgnoresCanceling: '19.3',
  /** Removal of the last manager no longer clears the runner's contact. */
  contactOutlivesManagers: '19.3',
  cancelingEndsSooner: '19.3',
  /** Jobs in cancellation can be ended without their runner. */
  forcedCancel: '19.3',
} as const satisfies Record<string, GitLabVersion>;

/** Returns whether the world's GitLab has a feature. The default is the newest version. */
export function gitlabHas({ behaviour }: World, feature: keyof typeof since): boolean {
  const { gitlab = '19.3' } = behaviour;
  return gitlabVersions.indexOf(gitlab) >= gitlabVersions.indexOf(since[feature]);
}
