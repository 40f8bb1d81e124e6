import { createApp } from './app.ts';
import { openInstance } from './instance.ts';
import { createJobControl } from './job-control.ts';
import { settleOverdue } from './overdue.ts';
import { createRunnerControl } from './runner-control.ts';
import type { GitLab, GitLabOptions } from './surface.ts';
import { createTokenControl } from './token-control.ts';
import { countTraffic } from './traffic.ts';
import { NEWEST_GITLAB } from './versions.ts';
import { WORKHORSE_HOLDS_MS } from './waiting.ts';

export type * from './surface.ts';

/** A GitLab in memory, kept in the sandbox's folder. */
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
