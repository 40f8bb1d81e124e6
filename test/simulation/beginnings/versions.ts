import { type GitLabVersion, gitlabVersions } from '../../fakes/world/gitlab-version.ts';
import { createChance } from '../chance.ts';
import type { Beginning } from './scenario.ts';
import type { Variant } from './variants.ts';

/** Variants that no other beginning shares a world with. */
const ofVariants: Partial<Record<Variant, GitLabVersion>> = {
  project: '17.5',
  force: '17.5',
  unseen: '17.5',
  account: '18.7',
  reach: '18.7',
  terraform: '18.9',
  observe: '18.9',
};

/** One for all beginnings that lead to the same worlds, so that these are explored once. */
export function gitlabOf({ active, record, variant }: Beginning): GitLabVersion {
  const own = variant === undefined ? undefined : ofVariants[variant];
  if (own !== undefined) return own;
  if (record === 'edited') return '18.7';
  return active === 'purple' ? '17.5' : '19.3';
}

/** Drawn beside everything else that a seed decides. */
export function gitlabOfSeed(seed: number): GitLabVersion {
  return createChance(-seed).pick(gitlabVersions);
}
