import type { SandboxRandom } from '../surroundings/random.ts';
import { digestOf, newToken } from './secrets.ts';
import { wellSet } from './settings/settings.ts';
import type { GitLabState, Project } from './state.ts';

export const ACME = 10;
export const RUNNERS_PROJECT = 101;
export const CANARY_PROJECT = 102;
const APP_PROJECT = 201;
const DEPLOYER = 1;
const OWNER = 50;
export const YEAR_MS = 365 * 24 * 60 * 60 * 1000;

/** Returns the initial state: one group, three projects, one user who owns them, no runner. */
export function seedState({
  now,
  random,
  seal,
}: {
  now: number;
  random: SandboxRandom;
  seal(text: string): string;
}): GitLabState {
  const token = newToken(random, 'glpat-');
  return {
    schema: 1,
    lastIds: {
      runner: 48000,
      manager: 70000,
      job: 900000,
      pipeline: 5000,
      token: 1,
      user: 1,
      group: 0,
    },
    queueValue: 1,
    users: [{ id: DEPLOYER, username: 'deployer', admin: false, createdAt: now }],
    groups: [{ id: ACME, path: 'acme', name: 'acme' }],
    projects: [
      project({ id: RUNNERS_PROJECT, name: 'runners', now }),
      project({ id: CANARY_PROJECT, name: 'canary', now }),
      project({ id: APP_PROJECT, name: 'app', now }),
    ],
    memberships: [{ kind: 'group', groupId: ACME, userId: DEPLOYER, accessLevel: OWNER }],
    tokens: [
      {
        id: 1,
        name: 'deployer',
        digest: digestOf(token),
        userId: DEPLOYER,
        scopes: ['api'],
        revoked: false,
        createdAt: now,
        expiresAt: now + YEAR_MS,
        lastUsedAt: null,
      },
    ],
    triggers: [],
    runners: [],
    managers: [],
    pipelines: [],
    jobs: [],
    resourceGroups: [],
    variables: [],
    deployerTokenSealed: seal(token),
  };
}

function project({ id, name, now }: { id: number; name: string; now: number }): Project {
  return {
    id,
    groupId: ACME,
    path: name,
    name,
    branches: ['main', 'feature'],
    protectedBranches: ['main'],
    lastPipelineIid: 0,
    createdAt: now,
    settings: wellSet(),
    schedules: [],
  };
}
