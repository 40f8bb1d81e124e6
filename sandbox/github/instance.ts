import { createHash } from 'node:crypto';
import type { SandboxClock } from '../surroundings/clock.ts';
import type { SandboxRandom } from '../surroundings/random.ts';
import type { SandboxStore } from '../surroundings/store.ts';
import { emptyState, type GitHubState } from './state.ts';

/** GitHub's own times. What a demonstration shortens of them, it has to say. */
export interface GitHubWindows {
  /** `busy` is false for so long after a job began, and true for so long after a longer one's end. */
  readonly busyLagMs: number;
  /** A job that its runner has not taken up for so long is given to another one. */
  readonly redeliveryMs: number;
  /** Other labels and another group act so long after they were answered. */
  readonly changeLagMs: number;
  /** The token of an App is refused for so long after it was made. */
  readonly freshTokenMs: number;
  /** A runner that was not connected for so long is removed. */
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

/** One GitHub, as every part of it sees it. */
export interface Instance {
  readonly state: GitHubState;
  readonly random: SandboxRandom;
  readonly windows: GitHubWindows;
  deployerToken(): string;
  now(): number;
  nextId(kind: keyof GitHubState['lastIds']): number;
  /** To be called after each change of `state`. */
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
