import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { AccessLevelName } from '../../../sandbox/gitlab/gitlab.ts';
import { createGitLabWorld, type GitLabWorld } from './gitlab-world.ts';
import { register, runnerClient } from './protocol/runner-client.ts';

let world: GitLabWorld;
beforeEach(() => {
  world = createGitLabWorld();
});
afterEach(() => world.close());

const READ_ONE = 'GET /runners/:id';
const LIST = 'GET /runners';
const CREATE = 'POST /user/runners';
const PIPELINE = 'POST /projects/101/pipeline';
const METADATA = 'GET /metadata';
const SELF = 'GET /personal_access_tokens/self';

async function send(name: string, token?: string): Promise<{ status: number; body: unknown }> {
  const [method = '', path = ''] = name.split(' ');
  const id = path.includes(':id') ? (await register(world)).id : 0;
  const bodies: Record<string, unknown> = {
    [CREATE]: { runner_type: 'group_type', group_id: 10 },
    [PIPELINE]: { ref: 'main' },
    'PUT /runners/:id': { paused: true },
  };
  const body = bodies[name];
  const { status, body: answer } = await world.call(method, path.replace(':id', String(id)), {
    ...(token === undefined ? {} : { token }),
    ...(body === undefined ? {} : { body }),
  });
  return { status, body: answer };
}

describe('token scopes', () => {
  test.each([
    ['api', [READ_ONE, LIST, CREATE, PIPELINE, METADATA, SELF]],
    ['read_api', [READ_ONE, LIST, METADATA, SELF]],
    ['create_runner', [CREATE, SELF]],
    ['manage_runner', [READ_ONE, SELF]],
    ['read_user', [METADATA, SELF]],
    ['read_repository', [SELF]],
  ])('%s permits %j and nothing else', async (scope, opened) => {
    const { token } = world.gitlab.createToken({ user: 'deployer', scopes: [scope] });
    const all = [READ_ONE, LIST, CREATE, PIPELINE, METADATA, SELF];
    const answers = await Promise.all(
      all.map(async (name) => ({ name, status: (await send(name, token)).status })),
    );
    expect(answers.filter(({ status }) => status < 300).map(({ name }) => name)).toEqual(opened);
    const refusals = answers.filter(({ status }) => status >= 300);
    expect(refusals.every(({ status }) => status === 403)).toBe(true);
  });
});

describe('GitLab tokens', () => {
  test('a bearer token works like a private one', async () => {
    const headers = { authorization: `Bearer ${world.deployer}` };
    expect((await world.call('GET', '/user', { headers })).body.username).toBe('deployer');
  });

  test('a running job opens its pipeline with its own token, and no more', async () => {
    const runner = await register(world);
    const { pipelineId } = world.gitlab.submitJob({ project: 201, tags: ['linux'], script: [''] });
    const client = runnerClient(world, runner.token, { systemId: 's_1' });
    const job = (await client.request()).body;
    const headers = { 'job-token': job.token };
    const jobs = `/projects/201/pipelines/${pipelineId}/jobs`;
    expect((await world.call('GET', jobs, { headers })).status).toBe(200);
    const create = { headers, body: { ref: 'main' } };
    expect((await world.call('POST', '/projects/101/pipeline', create)).status).toBe(401);
    expect((await world.call('GET', `/runners/${runner.id}`, { headers })).status).toBe(401);
    await client.update(job, 'success');
    expect((await world.call('GET', jobs, { headers })).status).toBe(401);
  });
});

describe('user roles', () => {
  const runnerTypes = {
    group: { runner_type: 'group_type', group_id: 10 },
    project: { runner_type: 'project_type', project_id: 201 },
    instance: { runner_type: 'instance_type' },
  };
  test.each<[AccessLevelName, (keyof typeof runnerTypes)[]]>([
    ['developer', []],
    ['maintainer', ['project']],
    ['owner', ['group', 'project']],
    ['admin', ['group', 'project', 'instance']],
  ])('%s of the group creates runners of type %j', async (accessLevel, made) => {
    const { token } = world.gitlab.createToken({ user: 'someone', scopes: ['api'], accessLevel });
    const statuses = await Promise.all(
      Object.values(runnerTypes).map(
        async (body) => (await world.call('POST', '/user/runners', { token, body })).status,
      ),
    );
    const types = Object.keys(runnerTypes).filter((_, index) => statuses[index] === 201);
    expect(types).toEqual(made);
    expect(statuses.every((status) => status === 201 || status === 403)).toBe(true);
  });

  test.each<[AccessLevelName, number, number]>([
    ['none', 403, 403],
    ['developer', 403, 403],
    ['maintainer', 200, 403],
    ['owner', 200, 200],
    ['admin', 200, 200],
  ])('%s reads a group runner with %i and changes it with %i', async (accessLevel, read, write) => {
    const { token } = world.gitlab.createToken({ user: 'someone', scopes: ['api'], accessLevel });
    expect((await send(READ_ONE, token)).status).toBe(read);
    expect((await send('PUT /runners/:id', token)).status).toBe(write);
    expect((await send('DELETE /runners/:id', token)).status).toBe(write === 200 ? 204 : 403);
  });

  test('a project without access counts as missing', async () => {
    const { token } = world.gitlab.createToken({
      user: 'guest',
      scopes: ['api'],
      accessLevel: 'developer',
      project: 'acme/canary',
    });
    const read = async (path: string) => (await world.call('GET', path, { token })).status;
    expect(await read('/projects/102')).toBe(200);
    expect(await read('/projects/acme%2Fcanary')).toBe(200);
    expect(await read('/groups/acme')).toBe(200);
    expect((await world.call('GET', '/projects/201', { token })).body).toEqual({
      message: '404 Project Not Found',
    });
    expect((await world.call('GET', '/runners/4711', { token })).body).toEqual({
      message: '404 Runner Not Found',
    });
  });
});
