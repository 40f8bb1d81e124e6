import type { SandboxClock } from '../surroundings/clock.ts';
import type { SandboxRandom } from '../surroundings/random.ts';
import type { SandboxStore } from '../surroundings/store.ts';
import { type Features, featuresOf, type GitLabVersion } from './answers/versions.ts';
import { createWaiting, type Waiting } from './jobs/waiting.ts';
import { seedState } from './seed.ts';
import type { GitLabState } from './state.ts';
import { loadTraces, type Traces } from './traces.ts';

/** One GitLab, as every part of it sees it. */
export interface Instance {
  state: GitLabState;
  version: GitLabVersion;
  features: Features;
  /** Requests for jobs that are held back. */
  waiting: Waiting;
  traces: Traces;
  random: SandboxRandom;
  store: SandboxStore;
  now(): number;
  baseUrl(): string;
  nextId(kind: keyof GitLabState['lastIds']): number;
  /** To be called after each change of `state`. */
  changed(): void;
}

const DOCUMENT = 'gitlab';

export function openInstance({
  clock,
  store,
  random,
  baseUrl,
  version,
  longPollMs,
}: {
  clock: SandboxClock;
  store: SandboxStore;
  random: SandboxRandom;
  baseUrl(): string;
  version: GitLabVersion;
  longPollMs: number;
}): Instance {
  const state =
    store.load<GitLabState>(DOCUMENT) ??
    seedState({ now: clock.now(), random, seal: (text) => store.seal(text) });
  const instance: Instance = {
    state,
    version,
    features: featuresOf(version),
    waiting: createWaiting({ now: () => clock.now(), longPollMs }),
    traces: loadTraces(store),
    random,
    store,
    now: () => clock.now(),
    baseUrl,
    nextId(kind) {
      state.lastIds[kind] += 1;
      return state.lastIds[kind];
    },
    changed: () => store.save(DOCUMENT, state),
  };
  instance.changed();
  return instance;
}
