import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createGitLabWorld, type GitLabWorld, HOUR, MINUTE } from '../gitlab-world.ts';
import { register, runnerClient } from './runner-client.ts';

let world: GitLabWorld;
beforeEach(() => {
  world = createGitLabWorld();
});
afterEach(() => world.close());

const submit = (tags: string[] = ['linux'], more: object = {}) =>
  world.gitlab.submitJob({ project: 201, tags, script: ['echo hello'], ...more }).id;
const seen = async (id: number) =>
  (await world.call('GET', `/projects/201/jobs/${id}`, { token: world.deployer })).body;

describe('a job on its runner', () => {
  const start = async (more: object = {}) => {
    const { token } = await register(world);
    const client = runnerClient(world, token, { systemId: 's_1' });
    const jobId = submit(['linux'], more);
    return { client, jobId, job: (await client.request()).body };
  };
  const cancel = (id: number, body = {}) =>
    world.call('POST', `/projects/201/jobs/${id}/cancel`, { token: world.deployer, body });

  test('continues its trace at its end, whatever the runner sends', async () => {
    const { client, job } = await start();
    await client.patch(job, 'one', 0);
    const wrong = await client.patch(job, 'three', 9);
    expect([wrong.status, wrong.headers.get('range')]).toEqual([416, '0-3']);
    expect((await client.patch(job, 'two', 3)).headers.get('range')).toBe('0-6');
    const headers = { 'job-token': job.token };
    const bare = await world.call('PATCH', `/jobs/${job.id}/trace`, { headers, body: 'x' });
    expect(bare.body).toEqual({ error: '400 Missing header Content-Range' });
  });

  test('fails with the reason that its runner reports, if GitLab knows it', async () => {
    const { client, jobId, job } = await start();
    await client.update(job, 'failed', { failure_reason: 'runner_system_failure', exit_code: 3 });
    expect(await seen(jobId)).toMatchObject({
      status: 'failed',
      failure_reason: 'runner_system_failure',
    });
    expect(world.gitlab.jobs().find(({ id }) => id === jobId)?.exitCode).toBe(3);
  });

  test('cleans up first when it is cancelled, and stays running meanwhile', async () => {
    const { client, jobId, job } = await start();
    expect((await cancel(jobId)).body.status).toBe('canceling');
    expect((await seen(jobId)).runner.job_execution_status).toBe('idle');
    expect((await client.update(job, 'running')).headers.get('job-status')).toBe('canceling');
    expect((await client.patch(job, 'bye', 0)).status).toBe(202);
    await client.update(job, 'failed', { failure_reason: 'job_canceled' });
    expect((await seen(jobId)).status).toBe('canceled');
  });

  test('can be forced only while it is being cancelled', async () => {
    const { client, jobId, job } = await start();
    expect((await cancel(jobId, { force: true })).body.status).toBe('running');
    await cancel(jobId);
    expect((await cancel(jobId, { force: true })).body.status).toBe('canceled');
    const response = await client.update(job, 'running');
    expect([response.status, response.headers.get('job-status')]).toEqual([403, 'canceled']);
  });

  test('stays running for an hour after its host died', async () => {
    const { client, jobId, job } = await start({ timeoutSeconds: 3 * 3600 });
    world.clock.advance(30 * MINUTE);
    await client.patch(job, 'last words', 0);
    world.clock.advance(HOUR);
    expect((await seen(jobId)).status).toBe('running');
    world.clock.advance(1);
    expect(await seen(jobId)).toMatchObject({
      status: 'failed',
      failure_reason: 'stuck_or_timeout_failure',
    });
  });

  test('fails after an hour without a matching runner, and after a day while it waits its turn', async () => {
    const { client } = await start();
    const [unmatched, waiting] = [submit(['nowhere']), submit()];
    world.clock.advance(HOUR + 1);
    expect(await seen(unmatched)).toMatchObject({
      status: 'failed',
      failure_reason: 'stuck_pending_no_matching_runners',
    });
    expect((await seen(waiting)).status).toBe('pending');
    expect((await client.request()).body.id).toBe(waiting);
  });

  test('may have no artifacts, and loses those that it sends', async () => {
    const { job } = await start();
    const headers = { 'job-token': job.token };
    const path = `/jobs/${job.id}/artifacts`;
    const sent = await world.call('POST', path, { headers, body: 'zip' });
    expect([sent.status, sent.body]).toEqual([201, 201]);
    expect((await world.call('GET', path, { headers })).status).toBe(404);
  });
});
