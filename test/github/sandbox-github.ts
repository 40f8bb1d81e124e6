import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFaults, type Faults, RESET_HEADER } from '../../sandbox/faults.ts';
import { createGitHub, type GitHub } from '../../sandbox/github/github.ts';
import { createSandboxClock } from '../../sandbox/surroundings/clock.ts';
import { seededRandom } from '../../sandbox/surroundings/random.ts';
import { openFolder } from '../../sandbox/surroundings/store.ts';
import {
  createGitHubClient,
  type GitHubClient,
  type GitHubCredentials,
} from '../../src/adapters/github/github-client.ts';
import { createGitHubRegistry } from '../../src/adapters/github/runners/github-registry.ts';
import type { GitHubScope, RunnerGroups } from '../../src/domain/settings.ts';
import type { StateStore } from '../../src/ports/state-store.ts';

import type { Manager, RegistryWorld } from '../contract/registry-world.ts';
import { createTestTransport, type FetchFunction, networkError } from '../transport/fake-server.ts';
import type { VirtualClock } from '../transport/virtual-clock.ts';

const START = Date.parse('2026-11-02T08:00:00.000Z');
const acme = { kind: 'organization', organization: 'acme' } as const;

export interface SandboxGitHub {
  readonly github: GitHub;
  readonly faults: Faults;
  readonly client: GitHubClient;
  clientOf(credentials: GitHubCredentials): Promise<GitHubClient>;
  readonly clock: VirtualClock;
  /** Requests as `METHOD /path`. */
  readonly sent: string[];
  /** Makes the next matching request fail before (`drop`) or after (`lose`) its effect. */
  disturb(how: 'drop' | 'lose', matches: (request: Request) => boolean, times?: number): void;
  close(): void;
}

/** Creates the sandbox's GitHub with production's transport, without a socket. */
export async function createSandboxGitHub(): Promise<SandboxGitHub> {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-github-'));
  const store = openFolder(folder);
  const random = seededRandom(7);
  const faults = createFaults(random);
  const sent: string[] = [];
  const disturbances: { how: 'drop' | 'lose'; matches(request: Request): boolean; left: number }[] =
    [];
  const fetch: FetchFunction = async (request) => {
    const { pathname } = new URL(request.url);
    sent.push(`${request.method} ${pathname.replace('/api/v3', '')}`);
    const hit = disturbances.find((each) => each.left > 0 && each.matches(request));
    if (hit !== undefined) hit.left -= 1;
    if (hit?.how === 'drop') throw networkError('ECONNRESET', 'read ECONNRESET');
    const response = await github.fetch(request);
    const isLost = hit?.how === 'lose' || response.headers.has(RESET_HEADER);
    if (isLost) throw networkError('ECONNRESET', 'read ECONNRESET');
    return response;
  };
  const { transport, clock, redactor } = createTestTransport(fetch);
  const github = createGitHub({
    clock: createSandboxClock({ store, realNow: () => START + clock.elapsed() }),
    store,
    random,
    faults,
  });
  const url = 'http://127.0.0.1:1/api/v3';
  const clientOf = (credentials: GitHubCredentials) =>
    createGitHubClient({ url, credentials, transport, redactor, clock });
  const client = await clientOf({ kind: 'token', token: github.deployerToken() });
  return {
    github,
    faults,
    client,
    clientOf,
    clock,
    sent,
    disturb: (how, matches, times = 1) => disturbances.push({ how, matches, left: times }),
    close() {
      store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export function registryOf(
  { client, clock }: SandboxGitHub,
  {
    scope = acme,
    groups = { production: 'Default' },
    parameters = createParameters(),
    canaryRepository,
  }: {
    scope?: GitHubScope;
    groups?: RunnerGroups;
    parameters?: StateStore;
    canaryRepository?: string;
  } = {},
) {
  const fleets = { parameters, nameOf: (id: string) => `/runners/${id}/runner_fleet` };
  return createGitHubRegistry({
    client,
    clock,
    scope,
    groups,
    canaryLabel: 'canary-1-2-linux',
    fleets,
    ...(canaryRepository === undefined ? {} : { canaryRepository }),
  });
}

/** Creates the actions that the registry's contract needs. */
export async function createRegistryWorld(): Promise<RegistryWorld> {
  const sandbox = await createSandboxGitHub();
  const { github } = sandbox;
  const registry = registryOf(sandbox);
  const credentials = new Map<string, string>();
  const finishers = new Map<string, () => void>();
  let down = false;
  sandbox.disturb('drop', (request) => down && !isWrite(request), Number.POSITIVE_INFINITY);

  /** A host reads its shard's labels at its boot. */
  async function arrive({ registrationId, token, systemId }: Manager): Promise<string> {
    const name = `${registrationId}-${systemId}`;
    const found = await registry.find(registrationId);
    if (found.kind === 'absent') throw new Error(`${registrationId} is absent`);
    const labels = found.value.paused ? [] : [...found.value.tags];
    const { credential } = github.runnerSide.register({ token, name, labels });
    credentials.set(name, credential);
    github.runnerSide.take(credential);
    return credential;
  }

  return {
    registry: withSystemIds(registry),
    settings: {
      scope: { kind: 'instance' },
      tags: ['linux'],
      runUntagged: false,
      locked: false,
      accessLevel: 'not_protected',
    },
    takesUntagged: false,
    jobStatuses: ['running'],
    systemIds: ['i-0123456789abcdef0', 'i-0123456789abcdef1'],
    async contact(manager) {
      await arrive(manager);
    },
    async startJob(manager, { tag, fresh }) {
      const name = `${manager.registrationId}-${manager.systemId}`;
      const credential = credentials.get(name) ?? (await arrive(manager));
      github.submitJob({ labels: [tag], script: ['sleep 60'] });
      const job = github.runnerSide.take(credential);
      if (job === undefined) throw new Error('the runner got no job');
      // No earlier list shows the job.
      if (fresh !== true) await sandbox.clock.sleep(61_000);
      github.runnerSide.heartbeat({ credential, jobId: job.id });
      // An organization's jobs have no id, only their runner.
      const id = `runner-${job.runnerId}`;
      finishers.set(id, () =>
        github.runnerSide.finish({ credential, jobId: job.id, conclusion: 'success' }),
      );
      return id;
    },
    async finishJob(jobId) {
      finishers.get(jobId)?.();
      // GitHub reports the runner as busy until it notices the end.
      await sandbox.clock.sleep(61_000);
    },
    loseNextAnswer: () => sandbox.disturb('lose', isWrite),
    setReads: (state) => {
      down = state === 'down';
    },
    close: () => sandbox.close(),
  };
}

export function isWrite(request: Request): boolean {
  return request.method !== 'GET';
}

/** Lists workers by the part of their name that the host chose, as the contract expects. */
function withSystemIds(registry: ReturnType<typeof createGitHubRegistry>): typeof registry {
  return {
    ...registry,
    async listWorkers(id) {
      const found = await registry.listWorkers(id);
      if (found.kind === 'absent') return found;
      const value = found.value.map((worker) => ({
        ...worker,
        systemId: worker.systemId.slice(id.length + 1),
      }));
      return { kind: 'found', value };
    },
  };
}

export function createParameters(): StateStore {
  const stored = new Map<string, { value: string; version: number; modifiedAt: string }>();
  const put = (name: string, value: string) => {
    const version = (stored.get(name)?.version ?? 0) + 1;
    stored.set(name, { value, version, modifiedAt: new Date(START).toISOString() });
    return version;
  };
  return {
    find: async (name) => stored.get(name),
    create: async ({ name, value }) =>
      stored.has(name) ? { kind: 'taken' } : { kind: 'created', version: put(name, value) },
    overwrite: async ({ name, value }) => ({ version: put(name, value) }),
    remove: async (name) => (stored.delete(name) ? 'removed' : 'absent'),
    findVersion: async (name) => stored.get(name),
    listVersions: async (name) => {
      const found = stored.get(name);
      return found === undefined ? undefined : [found];
    },
  };
}
