import { Hono } from 'hono';
import type { Faults } from '../faults.ts';
import type { SandboxClock } from '../surroundings/clock.ts';
import type { SandboxRandom } from '../surroundings/random.ts';
import type { SandboxStore } from '../surroundings/store.ts';
import { type AppCredentials, newAppKey } from './credentials.ts';
import { injectFaults } from './fault-injection.ts';
import { type Arrival, register } from './fleet.ts';
import type { GroupRow } from './groups.ts';
import { type GitHubWindows, openInstance } from './instance.ts';
import { assignAgain, finishJob, heartbeat, type JobOrder, submit, takeJob } from './jobs.ts';
import { createRateLimiter, type RateLimits } from './rate-limits.ts';
import { Refusal } from './refusal.ts';
import { apiRoutes } from './routes.ts';
import { runnerSide } from './runner-side.ts';
import type { JobRow, RunnerRow } from './state.ts';

export interface GitHub {
  fetch(request: Request): Promise<Response>;
  /** Returns the token of a user with all permissions. It stays the same after a restart. */
  deployerToken(): string;
  /** Returns the organization's App, with a new key each time. */
  app(): AppCredentials;
  /** Runners' interface. Its real protocol is not published; these calls have the same effects. */
  readonly runnerSide: {
    register(arrival: Arrival): { id: number; credential: string };
    take(credential: string): JobRow | undefined;
    heartbeat(beat: { credential: string; jobId: number }): { cancel: boolean };
    finish(end: { credential: string; jobId: number; conclusion: 'success' | 'failure' }): void;
  };
  /** Sets the rate limits and resets the used calls. */
  limit(limits: RateLimits): void;
  /** Replaces the groups. Ids are assigned in order. */
  setGroups(groups: readonly Omit<GroupRow, 'id'>[]): void;
  /** Removes one of these runners each time that the first page of the list was read. */
  leave(names: readonly string[]): void;
  /** Gives the runner a second job. Returns false if it has none. */
  assignAgain(runnerId: number): boolean;
  submitJob(order: JobOrder): { runId: number; jobId: number };
  /** Returns copies of all jobs that ever existed. */
  jobs(): JobRow[];
  runners(): RunnerRow[];
}

/**
 * Creates a GitHub in memory that is stored in the sandbox's folder. Its path is `/api/v3`, as for
 * an Enterprise Server.
 */
export function createGitHub(world: {
  clock: SandboxClock;
  store: SandboxStore;
  random: SandboxRandom;
  faults: Faults;
  windows?: Partial<GitHubWindows> | undefined;
}): GitHub {
  const instance = openInstance(world);
  const app = new Hono();
  app.use(injectFaults(world.faults, () => instance.now()));
  const limiter = createRateLimiter(() => instance.now());
  app.use('/api/*', limiter.count);
  app.route('/api/v3', apiRoutes(instance));
  app.route('/runner-side', runnerSide(instance));
  app.notFound((context) => context.json({ message: 'Not Found' }, 404));
  app.onError((error, context) =>
    context.json({ message: error.message }, error instanceof Refusal ? error.status : 500),
  );
  return {
    fetch: async (request) => app.fetch(request),
    deployerToken: instance.deployerToken,
    app: () => newAppKey(instance),
    runnerSide: {
      register: (arrival) => register(instance, arrival),
      take: (credential) => takeJob(instance, credential),
      heartbeat: (beat) => heartbeat(instance, beat),
      finish: (end) => finishJob(instance, end),
    },
    limit: limiter.set,
    setGroups(groups) {
      instance.state.groups = groups.map((group, index) => ({ ...group, id: index + 1 }));
      instance.changed();
    },
    leave(names) {
      instance.state.leaving = [...names];
      instance.changed();
    },
    assignAgain: (runnerId) => assignAgain(instance, runnerId),
    submitJob: (order) => submit(instance, order),
    jobs: () => structuredClone(instance.state.jobs),
    runners: () => structuredClone(instance.state.runners),
  };
}
