import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createGitLabWorld, type GitLabWorld } from './gitlab-world.ts';
import { register, runnerClient } from './protocol/runner-client.ts';

let world: GitLabWorld;
beforeEach(() => {
  world = createGitLabWorld();
});
afterEach(() => world.close());

const get = (path: string) => world.call('GET', path, { token: world.deployer });

describe('the jobs of a GitLab runner', () => {
  const runJobs = async (count: number, projects = [201]) => {
    const runner = await register(world);
    const client = runnerClient(world, runner.token, { systemId: 's_1' });
    for (let index = 0; index < count; index += 1) {
      const project = projects[index % projects.length]!;
      world.gitlab.submitJob({ project, tags: ['linux'], script: ['true'] });
      await client.request();
    }
    return runner;
  };

  test('include only projects in which the token is at least Reporter', async () => {
    const { id } = await runJobs(4, [201, 102]);
    const list = async (token: string) =>
      (await world.call('GET', `/runners/${id}/jobs`, { token })).body;
    expect(await list(world.deployer)).toHaveLength(4);
    const admin = world.gitlab.createToken({ user: 'root', scopes: ['api'], accessLevel: 'admin' });
    expect(await list(admin.token)).toHaveLength(4);
  });

  test('stay empty for a token without project access, even while the runner is active', async () => {
    const runner = await register(world, { runner_type: 'project_type', project_id: 102 });
    const assign = { token: world.deployer, body: { runner_id: runner.id } };
    await world.call('POST', '/projects/201/runners', assign);
    world.gitlab.submitJob({ project: 201, tags: ['linux'], script: ['true'] });
    await runnerClient(world, runner.token, { systemId: 's_1' }).request();
    const { token } = world.gitlab.createToken({
      user: 'someone',
      scopes: ['api'],
      accessLevel: 'maintainer',
      project: 102,
    });
    const read = async (path: string) => (await world.call('GET', path, { token })).body;
    expect(await read(`/runners/${runner.id}/jobs`)).toEqual([]);
    expect((await read(`/runners/${runner.id}`)).job_execution_status).toBe('active');
  });

  test('come in pages, newest first, with totals unless a system id is given', async () => {
    const { id } = await runJobs(23);
    const first = await get(`/runners/${id}/jobs`);
    expect(first.body).toHaveLength(20);
    const headers = (answer: { headers: Headers }) =>
      ['x-page', 'x-per-page', 'x-next-page', 'x-prev-page', 'x-total', 'x-total-pages'].map(
        (name) => answer.headers.get(name),
      );
    expect(headers(first)).toEqual(['1', '20', '2', '', '23', '2']);
    expect(first.headers.get('link')).toContain(
      `<http://127.0.0.1:1/api/v4/runners/${id}/jobs?page=2&per_page=20>; rel="next"`,
    );
    const second = await get(`/runners/${id}/jobs?page=2`);
    expect(second.body).toHaveLength(3);
    expect(headers(second)).toEqual(['2', '20', '', '1', '23', '2']);
    expect(headers(await get(`/runners/${id}/jobs?system_id=s_1`))).toEqual([
      '1',
      '20',
      '2',
      '',
      null,
      null,
    ]);
    expect((await get(`/runners/${id}/jobs?per_page=1000`)).headers.get('x-per-page')).toBe('100');
  });

  test('come by keyset, in both directions, each once', async () => {
    const { id } = await runJobs(5);
    for (const sort of ['asc', 'desc'] as const) {
      const ids: number[] = [];
      let path: string | undefined =
        `/runners/${id}/jobs?pagination=keyset&order_by=id&sort=${sort}&per_page=2`;
      while (path !== undefined) {
        const answer = await get(path);
        ids.push(...answer.body.map((job: { id: number }) => job.id));
        path = /\/api\/v4([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1];
      }
      expect(ids).toEqual(
        ids.toSorted((one, other) => (sort === 'asc' ? one - other : other - one)),
      );
      expect(new Set(ids).size).toBe(5);
    }
  });
});
