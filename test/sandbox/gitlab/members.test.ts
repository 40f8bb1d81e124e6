import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createGitLabWorld, type GitLabWorld } from './gitlab-world.ts';
import { register } from './protocol/runner-client.ts';

let world: GitLabWorld;
beforeEach(() => {
  world = createGitLabWorld();
});
afterEach(() => world.close());

async function idOf(user: string, order: { accessLevel?: 'maintainer'; project?: number } = {}) {
  const { token } = world.gitlab.createToken({ user, scopes: ['api'], ...order });
  const { body } = await world.call('GET', '/user', { token });
  return { id: (body as { id: number }).id, token };
}

test('a member of the group has the same role in the group and in its projects', async () => {
  const { id } = await idOf('maintainer', { accessLevel: 'maintainer' });
  for (const place of ['groups/10', 'projects/201']) {
    const { status, body } = await world.call('GET', `/${place}/members/all/${id}`, {
      token: world.deployer,
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id,
      username: 'maintainer',
      access_level: 40,
      state: 'active',
      membership_state: 'active',
    });
  }
});

test('a member of one project is not a member of the group', async () => {
  const { id } = await idOf('assistant', { accessLevel: 'maintainer', project: 201 });
  const token = world.deployer;
  const project = await world.call('GET', `/projects/201/members/all/${id}`, { token });
  const group = await world.call('GET', `/groups/10/members/all/${id}`, { token });
  expect([project.status, project.body.access_level]).toEqual([200, 40]);
  expect([group.status, group.body]).toEqual([404, { message: '404 Not found' }]);
});

test('a user without membership is not found, and finds no group', async () => {
  const { id, token } = await idOf('stranger');
  const seen = await world.call('GET', `/groups/10/members/all/${id}`, { token: world.deployer });
  const own = await world.call('GET', `/groups/10/members/all/${id}`, { token });
  expect([seen.status, seen.body]).toEqual([404, { message: '404 Not found' }]);
  expect([own.status, own.body]).toEqual([404, { message: '404 Group Not Found' }]);
});

test('a runner’s owner project is shown to its members, and the project count to all', async () => {
  const token = world.deployer;
  const { id } = await register(world, { runner_type: 'project_type', project_id: 101 });
  const assigned = await world.call('POST', '/projects/201/runners', {
    token,
    body: { runner_id: id },
  });
  expect(assigned.status).toBe(201);
  const { token: assistant } = await idOf('assistant', { accessLevel: 'maintainer', project: 201 });
  const seenBy = async (reader: string) => {
    const query = `{ runner(id: "gid://gitlab/Ci::Runner/${id}") { projectCount ownerProject { id } } }`;
    const answer = await world.gitlab.fetch(
      new Request('http://127.0.0.1:1/api/graphql', {
        method: 'POST',
        headers: { 'private-token': reader, 'content-type': 'application/json' },
        body: JSON.stringify({ query }),
      }),
    );
    return ((await answer.json()) as { data: unknown }).data;
  };
  expect(await seenBy(token)).toEqual({
    runner: { projectCount: 2, ownerProject: { id: 'gid://gitlab/Project/101' } },
  });
  expect(await seenBy(assistant)).toEqual({ runner: { projectCount: 2, ownerProject: null } });
});
