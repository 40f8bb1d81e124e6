import { RESET_HEADER } from '../../sandbox/faults.ts';
import {
  featuresOf,
  type GitLabVersion,
  NEWEST_GITLAB,
} from '../../sandbox/gitlab/answers/versions.ts';
import { createGitLabClient, type GitLabClient } from '../../src/adapters/gitlab/gitlab-client.ts';
import { createGitLabRegistry } from '../../src/adapters/gitlab/runners/gitlab-registry.ts';
import type { Manager, RegistryWorld } from '../contract/registry-world.ts';
import {
  createGitLabWorld,
  type GitLabWorld,
  type WorldOptions,
} from '../sandbox/gitlab/gitlab-world.ts';
import { runnerClient } from '../sandbox/gitlab/protocol/runner-client.ts';
import { createTestTransport, type FetchFunction, networkError } from '../transport/fake-server.ts';
import type { VirtualClock } from '../transport/virtual-clock.ts';

export interface SandboxGitLab {
  readonly world: GitLabWorld;
  readonly client: GitLabClient;
  readonly clock: VirtualClock;
  /** Returns the sandbox for another token. */
  as(token: string): GitLabClient;
  /** Requests as `METHOD /path`. */
  readonly sent: string[];
  /** Makes the next matching request fail before (`drop`) or after (`lose`) its effect. */
  disturb(how: 'drop' | 'lose', matches: (request: Request) => boolean, times?: number): void;
}

/** Creates the sandbox's GitLab with production's transport, without a socket. */
export function createSandboxGitLab(version?: WorldOptions['version']): SandboxGitLab {
  const world = createGitLabWorld(undefined, 7, { version });
  const sent: string[] = [];
  const disturbances: {
    how: 'drop' | 'lose';
    matches: (request: Request) => boolean;
    left: number;
  }[] = [];

  const fetch: FetchFunction = async (request) => {
    const { pathname, search } = new URL(request.url);
    sent.push(`${request.method} ${pathname.replace('/api/v4', '')}${search}`);
    const hit = disturbances.find((each) => each.left > 0 && each.matches(request));
    if (hit !== undefined) hit.left -= 1;
    if (hit?.how === 'drop') throw networkError('ECONNRESET', 'read ECONNRESET');
    const response = await world.gitlab.fetch(request);
    const isLost = hit?.how === 'lose' || response.headers.has(RESET_HEADER);
    if (isLost) throw networkError('ECONNRESET', 'read ECONNRESET');
    return response;
  };

  const { transport, clock, redactor } = createTestTransport(fetch);
  const as = (token: string) =>
    createGitLabClient({ url: 'http://127.0.0.1:1', token, transport, redactor });
  return {
    world,
    sent,
    clock,
    as,
    client: as(world.deployer),
    disturb: (how, matches, times = 1) => disturbances.push({ how, matches, left: times }),
  };
}

export function isWrite(request: Request): boolean {
  return request.method !== 'GET';
}

/** Creates the actions that the registry's contract needs. */
export function createRegistryWorld(version: GitLabVersion = NEWEST_GITLAB): RegistryWorld {
  const gitlab = createSandboxGitLab(version);
  const { world } = gitlab;
  const scope = { kind: 'group', groupId: 10 } as const;
  const finishers = new Map<string, () => Promise<unknown>>();
  let down = false;
  gitlab.disturb('drop', (request) => down && !isWrite(request), Number.POSITIVE_INFINITY);

  async function take(manager: Manager, twoPhase: boolean) {
    const runner = runnerClient(world, manager.token, { systemId: manager.systemId, twoPhase });
    const { body } = await runner.request();
    finishers.set(String(body.id), async () => {
      // GitLab refuses to end a job that has not begun.
      if (twoPhase) await runner.update(body, 'running');
      return runner.update(body, 'success');
    });
  }

  return {
    registry: createGitLabRegistry({ client: gitlab.client, scope }),
    settings: {
      scope,
      tags: ['linux'],
      runUntagged: false,
      locked: false,
      accessLevel: 'not_protected',
      maximumTimeoutSeconds: 3600,
    },
    takesUntagged: true,
    hidesExecution: !featuresOf(version).executionStatusInRest,
    jobStatuses: featuresOf(version).twoPhaseCommit
      ? ['assigned', 'running', 'canceling']
      : ['running', 'canceling'],
    systemIds: ['s_one', 's_two'],
    async contact({ token, systemId }) {
      const { status, text } = await runnerClient(world, token, { systemId }).request();
      if (status !== 204) throw new Error(`a contact was answered ${status} ${text}`);
    },
    async startJob(manager, { tag, status }) {
      const order = { project: 'acme/app', tags: [tag], script: ['sleep 60'] };
      const { id } = world.gitlab.submitJob(order);
      await take(manager, status === 'assigned');
      if (status === 'canceling') {
        await world.call('POST', `/projects/201/jobs/${id}/cancel`, { token: world.deployer });
      }
      return String(id);
    },
    async finishJob(jobId) {
      await finishers.get(jobId)?.();
    },
    waits: {
      project: 'acme/app',
      submit: async (tags) =>
        String(
          world.gitlab.submitJob({ project: 'acme/app', tags: [...tags], script: ['true'] }).id,
        ),
    },
    loseNextAnswer: () => gitlab.disturb('lose', isWrite),
    setReads: (state) => {
      down = state === 'down';
    },
    close: () => world.close(),
  };
}
