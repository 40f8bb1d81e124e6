import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createGitLabWorld, type GitLabWorld } from './gitlab-world.ts';
import { register, runnerClient } from './runner-client.ts';

let world: GitLabWorld;
beforeEach(() => {
  world = createGitLabWorld();
});
afterEach(() => world.close());

const get = (path: string) => world.call('GET', path, { token: world.deployer });
const post = (path: string, body: unknown = {}) =>
  world.call('POST', path, { token: world.deployer, body });

describe('a pipeline of acme/runners', () => {
  const create = () =>
    post('/projects/101/pipeline', { ref: 'main', inputs: { runner_name: 'linux' } });

  test('has the jobs of a deployment, and a canary that waits for its candidate', async () => {
    const { status, body } = await create();
    expect([status, body.iid, body.source]).toEqual([201, 1, 'api']);
    const { body: jobs } = await get(`/projects/101/pipelines/${body.id}/jobs`);
    expect(
      jobs.map(({ name, status: state, tag_list }: Record<string, unknown>) => [
        name,
        state,
        tag_list,
      ]),
    ).toEqual([
      ['hosted_runner_canary', 'pending', ['canary-101-1-linux']],
      ['hosted_runner_finalize', 'created', ['operations']],
      ['hosted_runner_cleanup', 'created', ['operations']],
      ['hosted_runner_shutdown', 'created', ['operations']],
      ['hosted_runner_provision', 'created', ['operations']],
      ['hosted_runner_onboard', 'created', ['operations']],
      ['hosted_runner_prepare', 'created', ['operations']],
    ]);
  });

  test('for several stacks has each job once a stack', async () => {
    const { jobs } = world.gitlab.createPipeline({ project: 101, runnerNames: ['linux', 'arm'] });
    expect(jobs.filter(({ name }) => name.startsWith('hosted_runner_canary'))).toMatchObject([
      { name: 'hosted_runner_canary: [linux]', tags: ['canary-101-1-linux'] },
      { name: 'hosted_runner_canary: [arm]', tags: ['canary-101-1-arm'] },
    ]);
  });

  test('has the status of its jobs', async () => {
    const { id, jobs } = world.gitlab.createPipeline({ project: 101 });
    const status = async () => (await get(`/projects/101/pipelines/${id}`)).body.status;
    const set = (name: string, to: 'running' | 'success' | 'failed' | 'canceled' | 'manual') =>
      world.gitlab.setJobStatus(jobs.find((job) => job.name === `hosted_runner_${name}`)!.id, to);
    expect(await status()).toBe('pending');
    set('prepare', 'running');
    expect(await status()).toBe('running');
    for (const name of ['prepare', 'onboard', 'canary', 'provision'] as const) set(name, 'success');
    expect(await status()).toBe('running');
    // Both may fail without failing the pipeline.
    set('shutdown', 'failed');
    set('cleanup', 'canceled');
    set('finalize', 'manual');
    expect(await status()).toBe('manual');
    set('finalize', 'success');
    expect(await status()).toBe('success');
    set('provision', 'failed');
    expect(await status()).toBe('failed');
  });

  test.each([
    [101, { ref: 'nowhere' }, { message: { base: ['Reference not found'] } }],
    [101, {}, { error: 'ref is missing' }],
    [
      101,
      { ref: 'main', inputs: { shard: 'pink' } },
      {
        message: {
          base: [
            'Given inputs not defined in the `spec` section of the included configuration file: shard.',
          ],
        },
      },
    ],
    [
      101,
      { ref: 'main', variables: [{ key: 'A', value: '1' }] },
      { message: { base: ['Insufficient permissions to set pipeline variables'] } },
    ],
    [
      102,
      { ref: 'main' },
      { message: { base: ['`tag` input: required value has not been provided.'] } },
    ],
    [201, { ref: 'main' }, { message: { base: ['Missing CI config file'] } }],
  ])('is refused in %i for %j, and leaves nothing', async (project, body, refusal) => {
    const answer = await post(`/projects/${project}/pipeline`, body);
    expect([answer.status, answer.body]).toEqual([400, refusal]);
    expect((await get(`/projects/${project}/pipelines`)).body).toEqual([]);
  });

  test('is cancelled with 200, also when nothing is left to cancel', async () => {
    const { id } = (await create()).body;
    expect(await post(`/projects/101/pipelines/${id}/cancel`)).toMatchObject({
      status: 200,
      body: { status: 'canceled' },
    });
    expect((await post(`/projects/101/pipelines/${id}/cancel`)).status).toBe(200);
  });

  test('is gone when deleted, but not for who counts its jobs', async () => {
    const { id } = (await create()).body;
    const path = `/projects/101/pipelines/${id}`;
    expect((await world.call('DELETE', path, { token: world.deployer })).status).toBe(204);
    expect((await get(path)).body).toEqual({ message: '404 Not found' });
    expect((await get('/projects/101/jobs')).body).toEqual([]);
    expect(world.gitlab.jobs()).toHaveLength(7);
  });
});

describe('a canary pipeline', () => {
  test('has one job, with the tag of its input, and can be triggered', async () => {
    const { token } = world.gitlab.createTriggerToken('acme/canary');
    const order = { token, ref: 'main', inputs: { tag: 'canary-x' } };
    const { status, body } = await world.call('POST', '/projects/acme%2Fcanary/trigger/pipeline', {
      body: order,
    });
    expect([status, body.source]).toEqual([201, 'trigger']);
    expect((await get(`/projects/102/pipelines/${body.id}/jobs`)).body).toMatchObject([
      { name: 'hosted_runner_canary', status: 'pending', tag_list: ['canary-x'] },
    ]);
    const wrong = await world.call('POST', '/projects/102/trigger/pipeline', {
      body: { ...order, token: 'glptt-no' },
    });
    expect(wrong.status).toBe(401);
  });
});

describe('a retry', () => {
  test('is a new job under the old name; the old one shows only when it is asked for', async () => {
    const { id: pipelineId, jobs } = world.gitlab.createPipeline({ project: 101 });
    const canary = jobs.find(({ name }) => name === 'hosted_runner_canary')!;
    world.gitlab.setJobStatus(canary.id, 'failed');
    const retry = await post(`/projects/101/jobs/${canary.id}/retry`);
    expect([retry.status, retry.body.status, retry.body.name]).toEqual([
      201,
      'pending',
      'hosted_runner_canary',
    ]);
    expect(retry.body.id).toBeGreaterThan(canary.id);
    const ids = async (query: string) =>
      (
        await get(
          `/projects/101/pipelines/${pipelineId}/jobs?scope[]=failed&scope[]=pending${query}`,
        )
      ).body.map(({ id }: { id: number }) => id);
    expect(await ids('')).toEqual([retry.body.id]);
    expect(await ids('&include_retried=true')).toEqual([retry.body.id, canary.id]);
  });

  test.each(['pending', 'running', 'canceling', 'created', 'manual', 'skipped'] as const)(
    'of a job that is %s is refused',
    async (status) => {
      const { id } = world.gitlab.submitJob({ project: 201, tags: [], script: ['true'] });
      world.gitlab.setJobStatus(id, status);
      const answer = await post(`/projects/201/jobs/${id}/retry`);
      expect([answer.status, answer.body]).toEqual([
        403,
        { message: '403 Forbidden - Job is not retryable' },
      ]);
    },
  );

  test('happens once', async () => {
    const { id } = world.gitlab.submitJob({ project: 201, tags: [], script: ['true'] });
    world.gitlab.setJobStatus(id, 'success');
    expect((await post(`/projects/201/jobs/${id}/retry`)).status).toBe(201);
    expect((await post(`/projects/201/jobs/${id}/retry`)).status).toBe(403);
  });
});

describe('the jobs of a runner', () => {
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

  test('are limited to projects where the token is at least Reporter', async () => {
    const { id } = await runJobs(4, [201, 102]);
    const list = async (token: string) =>
      (await world.call('GET', `/runners/${id}/jobs`, { token })).body;
    expect(await list(world.deployer)).toHaveLength(4);
    const admin = world.gitlab.createToken({ user: 'root', scopes: ['api'], accessLevel: 'admin' });
    expect(await list(admin.token)).toHaveLength(4);
  });

  test('are none for a token that may read the runner but no project, while it is active', async () => {
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

  test('of an instance runner are for an admin', async () => {
    const { token } = world.gitlab.createToken({
      user: 'root',
      scopes: ['api'],
      accessLevel: 'admin',
    });
    const body = { runner_type: 'instance_type' };
    const { id } = (await world.call('POST', '/user/runners', { token, body })).body;
    expect((await get(`/runners/${id}`)).status).toBe(200);
    expect((await get(`/runners/${id}/jobs`)).body).toEqual({
      message: '403 Forbidden - No access granted',
    });
  });

  test('come in pages, newest first, with the totals unless a system is asked for', async () => {
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

  test('come by keyset, both ways, each once', async () => {
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

  test('have one status a call, and no unknown one', async () => {
    const { id } = await runJobs(1);
    expect((await get(`/runners/${id}/jobs?status=running`)).body).toHaveLength(1);
    expect((await get(`/runners/${id}/jobs?status=success`)).body).toHaveLength(0);
    expect((await get(`/runners/${id}/jobs?status=idle`)).body).toEqual({
      error: 'status does not have a valid value',
    });
  });
});
