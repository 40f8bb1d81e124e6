import { describe, expect, test } from '@jest/globals';
import type { RunnerScope } from '../../../src/adapters/gitlab/jobs/visibility.ts';
import { createGitLabRegistry } from '../../../src/adapters/gitlab/runners/gitlab-registry.ts';
import type { RegistrationId } from '../../../src/domain/shard.ts';
import { type Answer, json } from '../../transport/fake-server.ts';
import { createSandboxGitLab } from '../sandbox-gitlab.ts';
import { createScriptedGitLab, page } from '../scripted-gitlab.ts';

const group: RunnerScope = { kind: 'group', groupId: 10 };
const allowed: Record<string, Answer> = {
  'GET /personal_access_tokens/self': json(200, {
    name: 'deployer',
    scopes: ['create_runner', 'manage_runner', 'read_api'],
    active: true,
    expires_at: '2027-01-01',
  }),
  'GET /user': json(200, { id: 7, username: 'bot' }),
  'GET /groups/10/members/all/7': json(200, { access_level: 50 }),
  'GET /projects/201/members/all/7': json(200, { access_level: 40 }),
  'GET /groups/10/runners': page([]),
  'GET /projects/201/runners': page([]),
  'GET /runners/all': page([]),
};

async function probe(changed: Record<string, Answer>, scope: RunnerScope = group) {
  const { client, sent } = createScriptedGitLab({ ...allowed, ...changed });
  const results = await createGitLabRegistry({ client, scope }).probe(scope);
  expect(sent.every((call) => call.startsWith('GET '))).toBe(true);
  return results;
}

test('grants everything to a token with the least scopes and an Owner behind it', async () => {
  expect(await probe({})).toEqual([
    {
      what: 'token',
      outcome: 'granted',
      detail: '"deployer" expires on 2027-01-01; scopes create_runner, manage_runner, read_api',
    },
    { what: 'scope create_runner', outcome: 'granted', detail: 'to create a runner' },
    {
      what: 'scope manage_runner',
      outcome: 'granted',
      detail: 'to read, change and remove a runner',
    },
    { what: 'scope read_api', outcome: 'granted', detail: 'to list runners' },
    { what: 'role Owner of group 10', outcome: 'granted', detail: 'bot has access level 50' },
    { what: 'list runners (GET /groups/10/runners)', outcome: 'granted', detail: 'answered' },
  ]);
});

test('refuses a token that is not active', async () => {
  const own = { name: 'x', scopes: ['api'], active: false, expires_at: null };
  const [token] = await probe({ 'GET /personal_access_tokens/self': json(200, own) });
  expect(token).toEqual({
    what: 'token',
    outcome: 'missing',
    detail: 'it is not active: "x" does not expire; scopes api',
  });
});

test('names each missing scope', async () => {
  const results = await probe({
    'GET /personal_access_tokens/self': json(200, {
      name: 'x',
      scopes: ['read_api'],
      active: true,
    }),
  });
  expect(results.filter((each) => each.outcome === 'missing')).toEqual([
    {
      what: 'scope create_runner',
      outcome: 'missing',
      detail: 'needed to create a runner; the token has read_api',
    },
    {
      what: 'scope manage_runner',
      outcome: 'missing',
      detail: 'needed to read, change and remove a runner; the token has read_api',
    },
  ]);
});

const roles: [string, RunnerScope, Record<string, Answer>, string, string][] = [
  [
    'a Maintainer of the group',
    group,
    { 'GET /groups/10/members/all/7': json(200, { access_level: 40 }) },
    'missing',
    'bot has access level 40, 50 is needed',
  ],
  [
    'a Maintainer of the project',
    { kind: 'project', projectId: 201 },
    {},
    'granted',
    'bot has access level 40',
  ],
  [
    'an ordinary user, for the instance',
    { kind: 'instance' },
    {},
    'missing',
    'bot is not an administrator',
  ],
  [
    'an administrator',
    { kind: 'instance' },
    { 'GET /user': json(200, { id: 7, username: 'root', is_admin: true }) },
    'granted',
    'root is an administrator',
  ],
];
test.each(roles)('checks the role of %s', async (...row) => {
  const [, scope, changed, outcome, detail] = row;
  const role = (await probe(changed, scope)).find((each) => each.what.startsWith('role '));
  expect(role).toMatchObject({ outcome, detail });
});

test('finds nothing missing for the deployer of the sandbox', async () => {
  const { client, world } = createSandboxGitLab();
  const results = await createGitLabRegistry({ client, scope: group }).probe(group);
  expect(results.filter((each) => each.outcome !== 'granted')).toEqual([]);
  world.close();
});

describe('the removal of a runner', () => {
  const project: RunnerScope = { kind: 'project', projectId: 201 };
  const several = page([{ id: 201 }, { id: 202 }]);
  const counted = (projectCount: number) =>
    json(200, {
      data: { runner: { projectCount, ownerProject: { id: 'gid://gitlab/Project/201' } } },
    });
  const level = (access: number) => json(200, { access_level: access });
  const rows: [string, Record<string, Answer>, string, string][] = [
    [
      'one project',
      { 'GET /runners/48213/projects': page([{ id: 201 }]), 'POST /api/graphql': counted(1) },
      'granted',
      'of its projects 201',
    ],
    [
      'two projects, with a Maintainer of both',
      {
        'GET /runners/48213/projects': several,
        'POST /api/graphql': counted(2),
        'GET /projects/202/members/all/7': level(40),
      },
      'granted',
      'of its projects 201, 202',
    ],
    [
      'two projects, with a Developer of the other',
      {
        'GET /runners/48213/projects': several,
        'POST /api/graphql': counted(2),
        'GET /projects/202/members/all/7': level(30),
      },
      'missing',
      'it has to be removed from project 202, but bot has access level 30, 40 is needed',
    ],
    [
      'projects that the token cannot see',
      { 'GET /runners/48213/projects': several, 'POST /api/graphql': counted(3) },
      'missing',
      'the token sees its projects 201, 202; 1 more are hidden; GitLab removes it from its last one only',
    ],
    [
      'an unknown number of projects',
      { 'GET /runners/48213/projects': page([{ id: 201 }]) },
      'not_probed',
      'the token sees its projects 201, and others may exist',
    ],
    [
      'an administrator',
      { 'GET /user': json(200, { id: 7, username: 'root', is_admin: true }) },
      'granted',
      'root is an administrator',
    ],
  ];
  test.each(rows)('gets a verdict: %s', async (...row) => {
    const [, changed, outcome, detail] = row;
    const { client } = createScriptedGitLab({ ...allowed, ...changed });
    const registry = createGitLabRegistry({ client, scope: project });
    const results = await registry.probe(project, ['48213' as RegistrationId]);
    expect(results.at(-1)).toEqual({ what: 'removal of runner 48213', outcome, detail });
  });
});
