import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createGitLabWorld, type GitLabWorld, MINUTE } from '../gitlab-world.ts';
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
const history = (id: number) =>
  world.gitlab
    .jobs()
    .find((job) => job.id === id)
    ?.transitions.map(({ status }) => status);

describe('a runner 14 without a system id', () => {
  test('verifies, takes a job that runs at once, writes its trace and finishes', async () => {
    const { id, token } = await register(world);
    const client = runnerClient(world, token, { version: '14.10.1' });
    expect(await client.verify()).toMatchObject({
      status: 200,
      body: { id, token, token_expires_at: null },
    });
    const jobId = submit();
    const answer = await client.request();
    expect(answer.status).toBe(201);
    expect(answer.headers.get('content-type')).toContain('application/json');
    const job = answer.body;
    expect((await client.update(job, 'running')).status).toBe(200);

    const patched = await client.patch(job, 'hello\n', 0);
    expect(patched.status).toBe(202);
    expect(patched.headers.get('range')).toBe('0-6');
    expect(patched.headers.get('job-status')).toBe('running');
    expect(patched.headers.get('x-gitlab-trace-update-interval')).toBe('60');

    const output = { checksum: 'crc32:363a3020', bytesize: 6 };
    const end = () => client.update(job, 'success', { output, exit_code: 0 });
    const early = await end();
    expect([early.status, early.text]).toEqual([202, '202']);
    expect(early.headers.get('x-gitlab-trace-update-interval')).toBe('1');
    world.clock.advance(1000);
    expect([(await end()).status, (await seen(jobId)).status]).toEqual([200, 'success']);
    expect(await seen(jobId)).toMatchObject({
      status: 'success',
      runner: { id },
      runner_manager: { system_id: '<legacy>', version: '14.10.1' },
    });
    const trace = await world.call('GET', `/projects/201/jobs/${jobId}/trace`, {
      token: world.deployer,
    });
    expect(trace.text).toBe('hello\n');
    expect(history(jobId)).toEqual(['created', 'pending', 'assigned', 'running', 'success']);
  });

  test('sends any log length and checksum without a 412 in any version', async () => {
    const { token } = await register(world);
    const client = runnerClient(world, token, { version: '14.10.1' });
    submit();
    const job = (await client.request()).body;
    await client.update(job, 'running');
    await client.patch(job, 'hello\n', 0);
    const output = { checksum: 'crc32:00000000', bytesize: 99 };
    const end = () => client.update(job, 'success', { output, exit_code: 0 });
    expect((await end()).status).toBe(202);
    world.clock.advance(1000);
    expect((await end()).status).toBe(200);
  });

  test('waits for the log of a retry as for the first one', async () => {
    const { token } = await register(world);
    const client = runnerClient(world, token, { version: '14.10.1' });
    const jobId = submit();
    const output = { checksum: 'crc32:363a3020', bytesize: 6 };
    const endsAfter = async () => {
      const job = (await client.request()).body;
      await client.update(job, 'running');
      await client.patch(job, 'hello\n', 0);
      const end = () => client.update(job, 'failed', { output, exit_code: 1 });
      const early = await end();
      world.clock.advance(1000);
      return [early.status, (await end()).status];
    };
    expect(await endsAfter()).toEqual([202, 200]);
    const path = `/projects/201/jobs/${jobId}/retry`;
    expect((await world.call('POST', path, { token: world.deployer })).status).toBe(201);
    expect(await endsAfter()).toEqual([202, 200]);
  });

  test('shares one row with every host of the token', async () => {
    const { id, token } = await register(world);
    await runnerClient(world, token).request();
    await runnerClient(world, token).request();
    const path = `/runners/${id}/managers`;
    expect((await world.call('GET', path, { token: world.deployer })).body).toHaveLength(1);
  });
});

describe('a runner that confirms its jobs', () => {
  const take = async () => {
    const { id, token } = await register(world);
    const client = runnerClient(world, token, { systemId: 's_1', twoPhase: true });
    const jobId = submit();
    return { id, client, jobId, job: (await client.request()).body };
  };

  test('leaves a job pending, without a manager, until it reports that it runs', async () => {
    const { id, client, jobId, job } = await take();
    const runner = async () =>
      (await world.call('GET', `/runners/${id}`, { token: world.deployer })).body;
    const jobs = async (query: string) =>
      (await world.call('GET', `/runners/${id}/jobs?${query}`, { token: world.deployer })).body;

    expect(await seen(jobId)).toMatchObject({ status: 'pending', runner_manager: null });
    expect((await runner()).job_execution_status).toBe('idle');
    expect(await jobs('status=pending')).toHaveLength(1);
    expect(await jobs('system_id=s_1')).toHaveLength(0);

    await client.update(job, 'running');
    expect(await seen(jobId)).toMatchObject({
      status: 'running',
      runner: { id },
      runner_manager: { system_id: 's_1' },
    });
    expect((await runner()).job_execution_status).toBe('active');
    expect(await jobs('system_id=s_1')).toHaveLength(1);
  });

  test('loses a job to the queue after two minutes without an update, and learns it', async () => {
    const { client, jobId, job } = await take();
    world.clock.advance(2 * MINUTE);
    expect(await client.update(job, 'pending')).toMatchObject({ status: 200 });
    world.clock.advance(2 * MINUTE + 1);
    expect(await seen(jobId)).toMatchObject({ status: 'pending', runner: null });
    const response = await client.update(job, 'running');
    expect([response.status, response.headers.get('job-status')]).toEqual([403, 'pending']);
    const again = (await client.request()).body;
    expect(again.id).toBe(jobId);
    expect((await client.update(again, 'running')).status).toBe(200);
    expect((await client.update(job, 'running')).status).toBe(403);
    expect(history(jobId)).toEqual([
      'created',
      'pending',
      'assigned',
      'pending',
      'assigned',
      'running',
    ]);
  });

  test('returns a job to the queue if its GitLab runner is removed before the confirmation', async () => {
    const { id, jobId } = await take();
    await world.call('DELETE', `/runners/${id}`, { token: world.deployer });
    expect(await seen(jobId)).toMatchObject({ status: 'pending', runner: null });
  });
});
