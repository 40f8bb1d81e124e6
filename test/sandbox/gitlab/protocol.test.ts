import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createGitLabWorld, type GitLabWorld, HOUR, MINUTE } from './gitlab-world.ts';
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

describe('a runner 14, which names no system', () => {
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
    expect(patched.headers.get('x-gitlab-trace-update-interval')).toBe('3');

    const output = { checksum: 'crc32:363a3020', bytesize: 6 };
    expect((await client.update(job, 'success', { output, exit_code: 0 })).status).toBe(200);
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

  test('shares its one row with every host of the token', async () => {
    const { id, token } = await register(world);
    await runnerClient(world, token).request();
    await runnerClient(world, token).request();
    const path = `/runners/${id}/managers`;
    expect((await world.call('GET', path, { token: world.deployer })).body).toHaveLength(1);
  });
});

describe('a runner that confirms what it takes', () => {
  const take = async () => {
    const { id, token } = await register(world);
    const client = runnerClient(world, token, { systemId: 's_1', twoPhase: true });
    const jobId = submit();
    return { id, client, jobId, job: (await client.request()).body };
  };

  test('has a pending job without a manager until it says that it runs', async () => {
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

  test('loses it to the queue after two minutes of silence, and is told so', async () => {
    const { client, jobId, job } = await take();
    world.clock.advance(2 * MINUTE);
    expect(await client.update(job, 'pending')).toMatchObject({ status: 200 });
    world.clock.advance(2 * MINUTE + 1);
    expect(await seen(jobId)).toMatchObject({ status: 'pending', runner: null });
    expect((await client.update(job, 'running')).status).toBe(409);
    const again = (await client.request()).body;
    expect(again.id).toBe(jobId);
    expect((await client.update(again, 'running')).status).toBe(200);
    expect((await client.update(job, 'running')).status).toBe(409);
    expect(history(jobId)).toEqual([
      'created',
      'pending',
      'assigned',
      'pending',
      'assigned',
      'running',
    ]);
  });

  test('gives it back when its registration is removed before it confirmed', async () => {
    const { id, jobId } = await take();
    await world.call('DELETE', `/runners/${id}`, { token: world.deployer });
    expect(await seen(jobId)).toMatchObject({ status: 'pending', runner: null });
  });
});

describe('a request for a job', () => {
  test('without a right token is refused', async () => {
    expect((await world.call('POST', '/jobs/request', { body: {} })).status).toBe(400);
    const answer = await runnerClient(world, 'glrt-gone', { systemId: 's_1' }).request();
    expect([answer.status, answer.body]).toEqual([403, { message: '403 Forbidden' }]);
  });

  test('that knows the queue finds nothing until something comes', async () => {
    const { token } = await register(world);
    const client = runnerClient(world, token, { systemId: 's_1' });
    const nothing = await client.request();
    expect(nothing.status).toBe(204);
    const lastUpdate = nothing.headers.get('x-gitlab-last-update') ?? '';
    expect((await client.request(lastUpdate)).status).toBe(204);
    submit();
    expect((await client.request(lastUpdate)).status).toBe(201);
  });

  test('gets the oldest job first', async () => {
    const { token } = await register(world);
    const client = runnerClient(world, token, { systemId: 's_1' });
    const ids = [submit(), submit(), submit()];
    const got = [await client.request(), await client.request(), await client.request()];
    expect(got.map(({ body }) => body.id)).toEqual(ids);
  });

  test.each<[string, object, { tags?: string[]; ref?: string }, number]>([
    ['when it has every tag of the job', { tag_list: ['linux', 'arm'] }, { tags: ['linux'] }, 201],
    ['not with a tag too few', { tag_list: ['linux'] }, { tags: ['linux', 'arm'] }, 204],
    ['not in another case', { tag_list: ['Linux'] }, { tags: ['linux'] }, 204],
    ['untagged jobs, by default', {}, { tags: [] }, 201],
    ['no untagged jobs', { run_untagged: false }, { tags: [] }, 204],
    ['not another ref', { access_level: 'ref_protected' }, { ref: 'feature' }, 204],
    ['a protected ref', { access_level: 'ref_protected' }, { ref: 'main' }, 201],
    ['not another project', { runner_type: 'project_type', project_id: 102 }, {}, 204],
    ['its own project', { runner_type: 'project_type', project_id: 201 }, {}, 201],
  ])('matches %s', async (_, settings, { tags, ...more }, status) => {
    const { token } = await register(world, { ...settings });
    submit(tags, more);
    expect((await runnerClient(world, token, { systemId: 's_1' }).request()).status).toBe(status);
  });

  test('never gets a stage of a deployment, but its canary', async () => {
    const { token } = await register(world, { tag_list: ['operations', 'canary-101-1-linux'] });
    world.gitlab.createPipeline({ project: 101, runnerNames: ['linux'] });
    const client = runnerClient(world, token, { systemId: 's_1' });
    expect((await client.request()).body.job_info.name).toBe('hosted_runner_canary');
    expect((await client.request()).status).toBe(204);
  });

  test('is answered with everything that a shell needs', async () => {
    const { id, token } = await register(world, {
      description: 'pink-linux',
      maximum_timeout: 900,
    });
    submit(['linux'], { afterScript: ['echo bye'], name: 'build' });
    const { body } = await runnerClient(world, token, { systemId: 's_1' }).request();
    expect(body).toMatchObject({
      allow_git_fetch: true,
      job_info: { name: 'build', stage: 'test', project_id: 201, project_name: 'app' },
      git_info: { ref: 'main', ref_type: 'branch', depth: 0 },
      runner_info: { timeout: 900 },
      steps: [
        { name: 'script', script: ['echo hello'], when: 'on_success', allow_failure: false },
        { name: 'after_script', script: ['echo bye'], when: 'always', allow_failure: true },
      ],
    });
    const variables = Object.fromEntries(
      body.variables.map(({ key, value }: { key: string; value: string }) => [key, value]),
    );
    expect(variables).toMatchObject({
      GIT_STRATEGY: 'none',
      GIT_CHECKOUT: 'false',
      CI_JOB_ID: String(body.id),
      CI_PROJECT_PATH: 'acme/app',
      CI_RUNNER_ID: String(id),
      CI_RUNNER_DESCRIPTION: 'pink-linux',
      CI_RUNNER_TAGS: '["linux"]',
      CI_JOB_TOKEN: body.token,
    });
  });
});

describe('a job on its runner', () => {
  const start = async (more: object = {}) => {
    const { token } = await register(world);
    const client = runnerClient(world, token, { systemId: 's_1' });
    const jobId = submit(['linux'], more);
    return { client, jobId, job: (await client.request()).body };
  };
  const cancel = (id: number, body = {}) =>
    world.call('POST', `/projects/201/jobs/${id}/cancel`, { token: world.deployer, body });

  test('has its trace continued where it ended, whatever the runner believes', async () => {
    const { client, job } = await start();
    await client.patch(job, 'one', 0);
    const wrong = await client.patch(job, 'three', 9);
    expect([wrong.status, wrong.headers.get('range')]).toEqual([416, '0-3']);
    expect((await client.patch(job, 'two', 3)).headers.get('range')).toBe('0-6');
    const headers = { 'job-token': job.token };
    const bare = await world.call('PATCH', `/jobs/${job.id}/trace`, { headers, body: 'x' });
    expect(bare.body).toEqual({ message: '400 Bad request - Missing header Content-Range' });
  });

  test('fails with the reason that its runner gives, if GitLab knows it', async () => {
    const { client, jobId, job } = await start();
    await client.update(job, 'failed', { failure_reason: 'runner_system_failure', exit_code: 3 });
    expect(await seen(jobId)).toMatchObject({
      status: 'failed',
      failure_reason: 'runner_system_failure',
    });
    expect(world.gitlab.jobs().find(({ id }) => id === jobId)?.exitCode).toBe(3);
  });

  test('that is over refuses every word and says what became of it', async () => {
    const { client, job } = await start();
    await client.update(job, 'success');
    for (const late of [await client.update(job, 'running'), await client.patch(job, 'x', 0)]) {
      expect([late.status, late.headers.get('job-status'), late.body]).toEqual([
        403,
        'success',
        { message: '403 Forbidden - Job is not processing on runner' },
      ]);
    }
    expect((await client.update({ ...job, token: 'glcbt-no' }, 'running')).status).toBe(403);
    expect((await client.update({ ...job, id: 1 }, 'running')).status).toBe(404);
  });

  test('that is cancelled cleans up first, and is executing all the while', async () => {
    const { client, jobId, job } = await start();
    expect((await cancel(jobId)).body.status).toBe('canceling');
    expect((await seen(jobId)).runner.job_execution_status).toBe('idle');
    expect((await client.update(job, 'running')).headers.get('job-status')).toBe('canceling');
    expect((await client.patch(job, 'bye', 0)).status).toBe(202);
    await client.update(job, 'failed', { failure_reason: 'job_canceled' });
    expect((await seen(jobId)).status).toBe('canceled');
  });

  test('is forced only while it is being cancelled', async () => {
    const { client, jobId, job } = await start();
    expect((await cancel(jobId, { force: true })).body.status).toBe('running');
    await cancel(jobId);
    expect((await cancel(jobId, { force: true })).body.status).toBe('canceled');
    const told = await client.update(job, 'running');
    expect([told.status, told.headers.get('job-status')]).toEqual([403, 'canceled']);
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

  test('that no runner could take fails after an hour; one that waits its turn, after a day', async () => {
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
    expect([sent.status, sent.body]).toEqual([201, { message: '201 Created' }]);
    expect((await world.call('GET', path, { headers })).status).toBe(404);
  });
});
