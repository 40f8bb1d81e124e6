import type { GitHubScope, RunnerGroups } from '../../../domain/settings.ts';
import type { GitHubClient } from '../github-client.ts';
import type { Fleet } from './fleet.ts';
import { moveRunner, readGroup } from './runner-groups.ts';
import type { GitHubRunner } from './runners.ts';

/** In which group the runners of a fleet are to be. Where none is apart, each stays where it is. */
export interface Placement {
  readonly isThere: (runner: GitHubRunner) => boolean;
  readonly move: (runner: GitHubRunner) => Promise<void>;
}

export const anywhere: Placement = { isThere: () => true, move: async () => undefined };

export interface Placements {
  of(fleet: Fleet): Promise<Placement>;
}

/** What a run has learned of a group's number it keeps: a name that is given to another one is nobody's. */
export function createPlacements(
  client: GitHubClient,
  scope: GitHubScope,
  groups: RunnerGroups,
): Placements {
  const { apart } = groups;
  if (apart === undefined) return { of: async () => anywhere };
  const known = new Map<string, number>();
  return {
    // Hosts register there, too, where nothing says another one.
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
