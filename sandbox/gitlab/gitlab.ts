import { createApp } from './answers/app.ts';
import type { GitLab, GitLabOptions } from './answers/surface.ts';
import { countTraffic } from './answers/traffic.ts';
import { NEWEST_GITLAB } from './answers/versions.ts';
import { createJobControl } from './control/job-control.ts';
import { createRunnerControl } from './control/runner-control.ts';
import { createTokenControl } from './control/token-control.ts';
import { openInstance } from './instance.ts';
import { settleOverdue } from './jobs/overdue.ts';
import { WORKHORSE_HOLDS_MS } from './jobs/waiting.ts';

export type * from './answers/surface.ts';

/** Creates a GitLab in memory that is stored in the sandbox's folder. */
export function createGitLab(options: GitLabOptions): GitLab {
  const { clock, store, random, baseUrl } = options;
  const { version = NEWEST_GITLAB, longPollMs = WORKHORSE_HOLDS_MS } = options;
  const instance = openInstance({ clock, store, random, baseUrl, version, longPollMs });
  const traffic = countTraffic(() => instance.now());
  const app = createApp(instance, { ...options, count: traffic.count });
  return {
    app,
    fetch: async (request) => app.fetch(request),
    ...createTokenControl(instance),
    version,
    ...createJobControl(instance),
    ...createRunnerControl(instance),
    jobs: () => structuredClone(instance.state.jobs),
    runners: () =>
      instance.state.runners.map((runner) => ({
        id: runner.id,
        description: runner.description ?? '',
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
    tick() {
      settleOverdue(instance);
      instance.waiting.expire();
    },
    close() {
      instance.waiting.close();
      store.flush();
    },
  };
}
