import { createHash } from 'node:crypto';
import type { SandboxClock } from '../surroundings/clock.ts';
import type { SandboxRandom } from '../surroundings/random.ts';
import type { SandboxStore } from '../surroundings/store.ts';
import { emptyState, type GitHubState } from './state.ts';

/** Delays of GitHub. The demo must state which of them it shortens. */
export interface GitHubWindows {
  /**
   * Time for which `busy` stays false after a job's start, and true after the end of a longer job.
   */
  readonly busyLagMs: number;
  /** Time after which another runner gets a job that the first one did not acquire. */
  readonly redeliveryMs: number;
  /** Time until a change of labels or group takes effect. */
  readonly changeLagMs: number;
  /** Time for which a new App token is refused. */
  readonly freshTokenMs: number;
  /** Time without a connection after which a runner is removed. */
  readonly absentMs: number;
  readonly absentEphemeralMs: number;
}

const usualGitHubWindows: GitHubWindows = {
  busyLagMs: 60_000,
  redeliveryMs: 60_000,
  changeLagMs: 4000,
  freshTokenMs: 3000,
  absentMs: 14 * 86_400_000,
  absentEphemeralMs: 86_400_000,
};

/** State and tools of one GitHub, shared by its parts. */
export interface Instance {
  readonly state: GitHubState;
  readonly random: SandboxRandom;
  readonly windows: GitHubWindows;
  deployerToken(): string;
  now(): number;
  nextId(kind: keyof GitHubState['lastIds']): number;
  /** Schedules a save. Must be called after each change of `state`. */
  changed(): void;
}

const DOCUMENT = 'github';

export function openInstance(world: {
  clock: SandboxClock;
  store: SandboxStore;
  random: SandboxRandom;
  windows?: Partial<GitHubWindows> | undefined;
}): Instance {
  const { clock, store, random } = world;
  const windows = { ...usualGitHubWindows, ...world.windows };
  const state =
    store.load<GitHubState>(DOCUMENT) ?? emptyState(store.seal(`ghp_${random.hex(18)}`));
  const instance: Instance = {
    state,
    random,
    windows,
    deployerToken: () => store.open(state.deployerTokenSealed),
    now: () => clock.now(),
    nextId(kind) {
      state.lastIds[kind] += 1;
      return state.lastIds[kind];
    },
    changed: () => store.save(DOCUMENT, state),
  };
  instance.changed();
  return instance;
}

export function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
