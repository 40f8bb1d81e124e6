import { type GitLabVersion, gitlabVersions } from '../../fakes/world/gitlab-version.ts';
import { createChance } from '../chance.ts';
import type { Beginning } from './scenario.ts';
import type { Variant } from './variants.ts';

/** Variants that share no world with another beginning. */
const ofVariants: Partial<Record<Variant, GitLabVersion>> = {
  project: '17.5',
  force: '17.5',
  unseen: '17.5',
  account: '18.7',
  reach: '18.7',
  terraform: '18.9',
  observe: '18.9',
};

/**
 * Returns one GitLab version for all beginnings that lead to the same worlds, to explore these only
 * once.
 */
export function gitlabOf({ active, record, variant }: Beginning): GitLabVersion {
  const own = variant === undefined ? undefined : ofVariants[variant];
  if (own !== undefined) return own;
  if (record === 'edited') return '18.7';
  return active === 'purple' ? '17.5' : '19.3';
}

/** Chooses a version by the seed, independent of its other choices. */
export function gitlabOfSeed(seed: number): GitLabVersion {
  return createChance(-seed).pick(gitlabVersions);
}
