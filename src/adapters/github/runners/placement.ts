import type { GitHubScope, RunnerGroups } from '../../../domain/settings.ts';
import type { GitHubClient } from '../github-client.ts';
import type { Fleet } from './fleet.ts';
import { moveRunner, readGroup } from './runner-groups.ts';
import type { GitHubRunner } from './runners.ts';

/**
 * Group that the runners of a fleet belong to. Without separate groups, each runner stays in its
 * group.
 */
export interface Placement {
  readonly isThere: (runner: GitHubRunner) => boolean;
  readonly move: (runner: GitHubRunner) => Promise<void>;
}

export const anywhere: Placement = { isThere: () => true, move: async () => undefined };

export interface Placements {
  of(fleet: Fleet): Promise<Placement>;
}

/**
 * Creates placements. The id of a group is cached for the run, so a later group with the same name
 * is not used.
 */
export function createPlacements(
  client: GitHubClient,
  scope: GitHubScope,
  groups: RunnerGroups,
): Placements {
  const { apart } = groups;
  if (apart === undefined) return { of: async () => anywhere };
  const known = new Map<string, number>();
  return {
    // `Default` is also the group in which hosts without a setting register.
    async of({ intake, group = 'Default' }) {
      const name = intake === 'closed' ? apart.closed : group;
      const groupId = known.get(name) ?? (await readGroup(client, scope, name)).id;
      known.set(name, groupId);
      return {
        isThere: (runner) => runner.runner_group_id === groupId,
        move: ({ id }) => moveRunner(client, scope, { id, groupId }),
      };
    },
  };
}
