import type { SandboxClock } from '../surroundings/clock.ts';
import type { SandboxRandom } from '../surroundings/random.ts';
import type { SandboxStore } from '../surroundings/store.ts';
import { type Features, featuresOf, type GitLabVersion } from './answers/versions.ts';
import { createWaiting, type Waiting } from './jobs/waiting.ts';
import { seedState } from './seed.ts';
import { wellSet } from './settings/settings.ts';
import type { GitLabState } from './state.ts';

/** State and tools of one GitLab, shared by its parts. */
export interface Instance {
  state: GitLabState;
  version: GitLabVersion;
  features: Features;
  /** Held job requests. */
  waiting: Waiting;
  traces: Traces;
  random: SandboxRandom;
  store: SandboxStore;
  now(): number;
  baseUrl(): string;
  nextId(kind: keyof GitLabState['lastIds']): number;
  /** Schedules a save. Must be called after each change of `state`. */
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
  // A folder of an older sandbox has no variables, settings and schedules.
  state.variables ??= [];
  for (const project of state.projects) {
    project.settings ??= wellSet();
    project.schedules ??= [];
  }
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

/** Logs of jobs. Offsets are in bytes. */
interface Traces {
  size(jobId: number): number;
  append(jobId: number, bytes: Uint8Array): void;
  read(jobId: number): Buffer;
  remove(jobId: number): void;
}

const tracesDocument = 'gitlab-traces';
const encoding = 'latin1';

// Loads logs with one character per byte: runners cut their patches anywhere, also inside a
// character.
function loadTraces(store: SandboxStore): Traces {
  const texts: Record<string, string> = store.load<Record<string, string>>(tracesDocument) ?? {};
  return {
    size: (jobId) => texts[jobId]?.length ?? 0,
    append(jobId, bytes) {
      texts[jobId] = (texts[jobId] ?? '') + Buffer.from(bytes).toString(encoding);
      store.save(tracesDocument, texts);
    },
    read: (jobId) => Buffer.from(texts[jobId] ?? '', encoding),
    remove(jobId) {
      delete texts[jobId];
      store.save(tracesDocument, texts);
    },
  };
}
