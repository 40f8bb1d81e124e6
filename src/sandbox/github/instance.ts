import { createHash } from 'node:crypto';
import type { SandboxClock } from '../world/clock.ts';
import type { SandboxRandom } from '../world/random.ts';
import type { SandboxStore } from '../world/store.ts';
import { emptyState, type GitHubState } from './state.ts';

/** One GitHub, as every part of it sees it. */
export interface Instance {
  readonly state: GitHubState;
  readonly random: SandboxRandom;
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
}): Instance {
  const { clock, store, random } = world;
  const state =
    store.load<GitHubState>(DOCUMENT) ?? emptyState(store.seal(`ghp_${random.hex(18)}`));
  const instance: Instance = {
    state,
    random,
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
