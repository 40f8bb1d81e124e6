import { createApp } from './app.ts';
import { openInstance } from './instance.ts';
import { createJobControl } from './job-control.ts';
import { settleOverdue } from './overdue.ts';
import type { GitLab, GitLabOptions } from './surface.ts';
import { createTokenControl } from './token-control.ts';
import { countTraffic } from './traffic.ts';

export type * from './surface.ts';

/** A GitLab in memory, kept in the sandbox's folder. */
export function createGitLab(options: GitLabOptions): GitLab {
  const { clock, store, random, baseUrl } = options;
  const instance = openInstance({ clock, store, random, baseUrl });
  const traffic = countTraffic(() => instance.now());
  const app = createApp(instance, { ...options, count: traffic.count });
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
    traffic: traffic.read,
    tick: () => settleOverdue(instance),
    close: () => store.flush(),
  };
}
