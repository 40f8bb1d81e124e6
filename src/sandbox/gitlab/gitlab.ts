import { createApp } from './app.ts';
import { openInstance } from './instance.ts';
import { createJobControl } from './job-control.ts';
import { settleOverdue } from './overdue.ts';
import type { GitLab, GitLabOptions } from './surface.ts';
import { createTokenControl } from './token-control.ts';

export type * from './surface.ts';

/** A GitLab in memory, kept in the sandbox's folder. */
export function createGitLab({ clock, store, faults, random, baseUrl }: GitLabOptions): GitLab {
  const instance = openInstance({ clock, store, random, baseUrl });
  const app = createApp(instance, faults);
  return {
    app,
    fetch: async (request) => app.fetch(request),
    ...createTokenControl(instance),
    ...createJobControl(instance),
    jobs: () => structuredClone(instance.state.jobs),
    runners: () =>
      instance.state.runners.map((runner) => ({
        id: runner.id,
        description: runner.description,
        paused: runner.paused,
        tags: [...runner.tags],
        managers: instance.state.managers
          .filter((manager) => manager.runnerId === runner.id)
          .map(({ id, systemId, version, contactedAt }) => ({
            id,
            systemId,
            version,
            contactedAt,
          })),
      })),
    tick: () => settleOverdue(instance),
    close: () => store.flush(),
  };
}
