import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { stageNames } from '../../../src/domain/deployment/stages-and-steps.ts';
import { createGitLabWorld, type GitLabWorld } from './gitlab-world.ts';

let world: GitLabWorld;
beforeEach(() => {
  world = createGitLabWorld();
});
afterEach(() => world.close());

const get = (path: string) => world.call('GET', path, { token: world.deployer });
const post = (path: string, body: unknown = {}) =>
  world.call('POST', path, { token: world.deployer, body });

/** Jobs without an approval and a bake. */
const usual = stageNames.filter((stage) => stage !== 'promote' && stage !== 'bake');

describe('a pipeline of acme/runners', () => {
  const create = () =>
    post('/projects/101/pipeline', { ref: 'main', inputs: { runner_name: 'linux' } });

  test('contains the jobs of a deployment, and a canary that waits for its candidate', async () => {
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
      ...usual.toReversed().map((stage) => [`hosted_runner_${stage}`, 'created', ['operations']]),
    ]);
  });

  test('contains each job once for each of several stacks', async () => {
    const { jobs } = world.gitlab.createPipeline({ project: 101, runnerNames: ['linux', 'arm'] });
    expect(jobs.filter(({ name }) => name.startsWith('hosted_runner_canary'))).toMatchObject([
      { name: 'hosted_runner_canary: [linux]', tags: ['canary-101-1-linux'] },
      { name: 'hosted_runner_canary: [arm]', tags: ['canary-101-1-arm'] },
    ]);
  });

  test('derives its status from its jobs', async () => {
    const { id, jobs } = world.gitlab.createPipeline({ project: 101 });
    const status = async () => (await get(`/projects/101/pipelines/${id}`)).body.status;
    const set = (name: string, to: 'running' | 'success' | 'failed' | 'canceled' | 'manual') =>
      world.gitlab.setJobStatus(jobs.find((job) => job.name === `hosted_runner_${name}`)!.id, to);
    expect(await status()).toBe('pending');
    set('prepare', 'running');
    expect(await status()).toBe('running');
    for (const name of [...usual, 'canary']) if (name !== 'finalize') set(name, 'success');
    expect(await status()).toBe('running');
    // Both jobs may fail without failing the pipeline.
    set('shutdown', 'failed');
    set('cleanup', 'canceled');
    set('finalize', 'manual');
    expect(await status()).toBe('manual');
    set('finalize', 'success');
    expect(await status()).toBe('success');
    set('provision', 'failed');
    expect(await status()).toBe('failed');
  });

  test('returns 200 to a cancellation, even if no job is left to cancel', async () => {
    const { id } = (await create()).body;
    expect(await post(`/projects/101/pipelines/${id}/cancel`)).toMatchObject({
      status: 200,
      body: { status: 'canceled' },
    });
    expect((await post(`/projects/101/pipelines/${id}/cancel`)).status).toBe(200);
  });

  test('disappears when deleted, but its jobs stay in the sandbox’s count', async () => {
    const { id } = (await create()).body;
    const path = `/projects/101/pipelines/${id}`;
    expect((await world.call('DELETE', path, { token: world.deployer })).status).toBe(204);
    expect((await get(path)).body).toEqual({ message: '404 Not found' });
    expect((await get('/projects/101/jobs')).body).toEqual([]);
    expect(world.gitlab.jobs()).toHaveLength(usual.length + 1);
  });
});

describe('a canary pipeline', () => {
  test('contains one job with the tag of its input, and can be triggered', async () => {
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

describe('a job retry', () => {
  test('creates a job with the same name, and the old job is listed only on request', async () => {
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
});
