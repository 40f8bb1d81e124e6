import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createGitLabWorld, type GitLabWorld } from './gitlab-world.ts';
import { register, runnerClient } from './protocol/runner-client.ts';
import { findOperation, operations, problemsOf } from './published.ts';

let world: GitLabWorld;
beforeEach(() => {
  world = createGitLabWorld();
});
afterEach(() => world.close());

/** One call of every operation that is published, in a world where all of them find something. */
async function walkAll(): Promise<string[]> {
  const admin = world.gitlab.createToken({ user: 'root', scopes: ['api'], accessLevel: 'admin' });
  const trigger = world.gitlab.createTriggerToken('acme/runners').token;
  const runner = await register(world);
  const projectRunner = await register(world, { runner_type: 'project_type', project_id: 201 });
  const spare = await register(world);
  const client = runnerClient(world, runner.token, { systemId: 's_000000000001' });
  await client.verify();
  world.gitlab.submitJob({ project: 201, tags: ['linux'], script: ['true'] });
  const job = (await client.request()).body as { id: number; token: string };
  await client.update(job, 'running');
  const pipeline = world.gitlab.createPipeline({ project: 101, runnerNames: ['linux'] });
  const [prepare] = pipeline.jobs;
  world.gitlab.setJobStatus(prepare!.id, 'running');
  const manual = world.gitlab.submitJob({ project: 201, tags: [], script: ['true'] });
  world.gitlab.setJobStatus(manual.id, 'manual');
  const api = '/projects/101';
  const group = `${api}/resource_groups/${encodeURIComponent('hosted-runner/linux')}`;
  const jobToken = { 'job-token': job.token };

  const calls: [method: string, path: string, body?: unknown, headers?: Record<string, string>][] =
    [
      ['POST', '/user/runners', { runner_type: 'group_type', group_id: 10 }],
      ['GET', '/metadata'],
      ['GET', '/version'],
      ['GET', '/personal_access_tokens/self'],
      [
        'POST',
        `${api}/ref/main/trigger/pipeline`,
        { token: trigger, inputs: { runner_name: 'arm' } },
      ],
      ['GET', `${api}/pipelines`],
      ['POST', `${api}/pipeline`, { ref: 'main', inputs: { runner_name: 'linux' } }],
      ['GET', `${api}/pipelines/${pipeline.id}`],
      ['GET', `${api}/pipelines/${pipeline.id}/jobs?scope[]=running&scope[]=created`],
      ['GET', '/runners'],
      ['GET', '/runners/all'],
      ['GET', `/runners/${runner.id}`],
      ['PUT', `/runners/${runner.id}`, { description: 'pink-linux' }],
      ['GET', `/runners/${runner.id}/managers`],
      ['GET', `/runners/${projectRunner.id}/projects`],
      ['GET', `/runners/${runner.id}/jobs`],
      ['GET', '/projects/acme%2Fapp/runners'],
      ['POST', '/projects/102/runners', { runner_id: projectRunner.id }],
      ['DELETE', `/projects/102/runners/${projectRunner.id}`],
      ['GET', '/groups/acme/runners'],
      ['GET', group],
      ['PUT', group, { process_mode: 'oldest_first' }],
      ['GET', `${group}/current_job`],
      ['GET', `${group}/upcoming_jobs`],
      ['GET', `/projects/201/jobs/${job.id}`],
      ['PATCH', `/jobs/${job.id}/trace`, 'hello', { ...jobToken, 'content-range': '0-4' }],
      ['GET', `/projects/201/jobs/${job.id}/trace`],
      ['POST', `/jobs/${job.id}/artifacts?artifact_type=dotenv`, 'x', jobToken],
      ['PUT', `/jobs/${job.id}`, { token: job.token, state: 'success' }],
      ['POST', `/projects/201/jobs/${job.id}/retry`],
      ['POST', `/projects/201/jobs/${manual.id}/play`],
      ['POST', `/projects/201/jobs/${manual.id}/cancel`],
      ['POST', `${api}/pipelines/${pipeline.id}/cancel`],
      ['POST', `${api}/pipelines/${pipeline.id}/retry`],
      ['POST', '/runners/verify', { token: runner.token, system_id: 's_000000000002' }],
      ['POST', '/jobs/request', { token: runner.token, system_id: 's_000000000002' }],
      ['DELETE', `/runners/managers?token=${runner.token}&system_id=s_000000000002`],
      ['POST', '/runners/reset_authentication_token', { token: spare.token }],
      ['POST', `/runners/${spare.id}/reset_authentication_token`],
      ['DELETE', `/runners?token=${runner.token}`],
      ['DELETE', `/runners/${spare.id}`],
      ['DELETE', `${api}/pipelines/${pipeline.id}`],
    ];

  const called: string[] = [];
  for (const [method, path, body, headers = {}] of calls) {
    const { status, text } = await world.call(method, path, { token: admin.token, body, headers });
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
    const pathname = new URL(`http://x/api/v4${path}`).pathname;
    const operation = findOperation(method, pathname);
    called.push(`${operation?.method} ${operation?.template}`);
  }
  return called;
}

describe('answers', () => {
  test('every published operation is served, in the published shape', async () => {
    const called = await walkAll();
    const published = operations
      .map(({ method, template }) => `${method} ${template}`)
      // These only ever refuse here.
      .filter((name) => name !== 'POST /api/v4/runners')
      .filter((name) => name !== 'GET /api/v4/jobs/{id}/artifacts')
      .filter((name) => name !== 'GET /api/v4/runners/router/discovery');
    expect(published.filter((name) => !called.includes(name))).toEqual([]);
  });

  test('a field that is missing, foreign or of another type is found', () => {
    const answer = { method: 'GET', path: '/api/v4/metadata', status: 200 };
    const body = { version: '19.3.0', revision: 'a', kas: {}, enterprise: true };
    expect(problemsOf({ ...answer, body })).toEqual([]);
    expect(problemsOf({ ...answer, body: { ...body, version: 19 } })).toHaveLength(1);
    expect(problemsOf({ ...answer, body: { ...body, edition: 'ee' } })).toHaveLength(1);
    expect(problemsOf({ ...answer, body: { version: '19.3.0' } })).toHaveLength(3);
  });

  test.each([
    ['GET', '/runners/router/discovery', 403, { message: '403 Forbidden' }],
    ['POST', '/runners', 410, { message: '410 Gone' }],
    ['GET', '/nothing/here', 404, { error: '404 Not Found' }],
  ])('%s %s answers %i', async (method, path, status, body) => {
    const answer = await world.call(method, path, { token: world.deployer });
    expect({ status: answer.status, body: answer.body }).toEqual({ status, body });
  });
});
