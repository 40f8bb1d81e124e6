import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createGitLabWorld, type GitLabWorld, HOUR, MINUTE, passing } from './gitlab-world.ts';
import { register, runnerClient } from './protocol/runner-client.ts';

let world: GitLabWorld;
beforeEach(() => {
  world = createGitLabWorld();
});
afterEach(() => world.close());

const as = () => ({ token: world.deployer });
const read = async (id: number) => (await world.call('GET', `/runners/${id}`, as())).body;
const change = (id: number, body: unknown) =>
  world.call('PUT', `/runners/${id}`, { ...as(), body });

describe('a new GitLab runner', () => {
  test('takes untagged jobs, is unpaused and lacks a contact by default', async () => {
    const { id } = await register(world, { tag_list: undefined });
    expect(await read(id)).toMatchObject({
      run_untagged: true,
      paused: false,
      online: null,
      status: 'never_contacted',
      contacted_at: null,
      job_execution_status: 'idle',
      tag_list: [],
      maintenance_note: null,
      version: null,
    });
  });

  test('shows its token when it is created or reset, and never again', async () => {
    const { id, token } = await register(world);
    expect(token).toMatch(/^glrt-[0-9a-f]{24}$/);
    expect(JSON.stringify(await read(id))).not.toContain(token);
    const reset = await world.call('POST', `/runners/${id}/reset_authentication_token`, as());
    expect(reset.body.token).not.toBe(token);
    expect((await runnerClient(world, token, { systemId: 's_1' }).verify()).status).toBe(403);
  });

  test('gets a token that expires after the configured interval, and is refused afterwards', async () => {
    world.gitlab.setRunnerTokenLife(7200);
    const { id, token } = await register(world);
    const endsAt = '2026-11-02T10:00:00.000Z';
    const client = runnerClient(world, token, { systemId: 's_1' });
    expect((await client.verify()).body).toMatchObject({ token_expires_at: endsAt });
    world.clock.advance(2 * HOUR);
    expect((await client.verify()).status).toBe(403);
    const reset = await world.call('POST', `/runners/${id}/reset_authentication_token`, as());
    expect(reset.body.token_expires_at).toBe('2026-11-02T12:00:00.000Z');
    const renewed = runnerClient(world, reset.body.token, { systemId: 's_1' });
    expect((await renewed.verify()).status).toBe(200);
  });

  test('omits its projects on request', async () => {
    const { id } = await register(world, { runner_type: 'project_type', project_id: 201 });
    expect((await read(id)).projects).toHaveLength(1);
    const short = await world.call('GET', `/runners/${id}?include_projects=false`, as());
    expect(short.body.projects).toBeUndefined();
  });
});

describe('a change of a GitLab runner', () => {
  test('replaces all tags with the given ones, as a list or with commas', async () => {
    const { id } = await register(world, { tag_list: 'linux, docker' });
    expect((await read(id)).tag_list).toEqual(['linux', 'docker']);
    expect((await change(id, { tag_list: ['canary-1'] })).body.tag_list).toEqual(['canary-1']);
    expect((await change(id, { paused: true })).body.tag_list).toEqual(['canary-1']);
  });

  test('accepts a note of 1024 characters, with an emoji as one, and refuses a longer one', async () => {
    const { id } = await register(world);
    const maintenance_note = '🚧'.repeat(1024);
    expect((await change(id, { maintenance_note })).body).toMatchObject({ maintenance_note });
    const refused = await change(id, { maintenance_note: `${maintenance_note}a`, paused: true });
    const words = { maintenance_note: ['is too long (maximum is 1024 characters)'] };
    expect(refused).toMatchObject({ status: 400, body: { message: words } });
    expect(await read(id)).toMatchObject({ maintenance_note, paused: false });
    expect((await change(id, { maintenance_note: '' })).body.maintenance_note).toBe('');
  });

  test('stops every manager of a paused runner, and no running job', async () => {
    const { id, token } = await register(world);
    const one = runnerClient(world, token, { systemId: 's_1' });
    const other = runnerClient(world, token, { systemId: 's_2' });
    world.gitlab.submitJob({ project: 201, tags: ['linux'], script: ['true'] });
    world.gitlab.submitJob({ project: 201, tags: ['linux'], script: ['true'] });
    const job = (await one.request()).body;
    await change(id, { paused: true });
    expect((await one.request()).status).toBe(204);
    expect((await other.request()).status).toBe(204);
    expect((await one.update(job, 'running')).headers.get('job-status')).toBe('running');
    await change(id, { paused: false });
    expect((await other.request()).status).toBe(201);
  });
});

describe('the contact of a GitLab runner', () => {
  test('shows a runner that only verified as online, together with its manager', async () => {
    const { id, token } = await register(world);
    await runnerClient(world, token, { systemId: 's_1' }).verify();
    expect((await read(id)).status).toBe('online');
    const managers = await world.call('GET', `/runners/${id}/managers`, as());
    expect(managers.body).toMatchObject([{ system_id: 's_1', status: 'online', version: null }]);
  });

  test('keeps a dead host online for two hours, offline for a week, then stale without a manager', async () => {
    const { id, token } = await register(world);
    await runnerClient(world, token, { systemId: 's_1' }).request();
    const statusAfter = async (ms: number) => {
      world.clock.advance(ms);
      const { status, online } = await read(id);
      return [status, online];
    };
    expect(await statusAfter(2 * HOUR - 1)).toEqual(['online', true]);
    expect(await statusAfter(1)).toEqual(['offline', false]);
    expect(await statusAfter(7 * 24 * HOUR)).toEqual(['stale', false]);
    expect((await world.call('GET', `/runners/${id}/managers`, as())).body).toEqual([]);
  });

  test('stays unrecorded for an hour for a runner with the current queue value', async () => {
    const { id, token } = await register(world);
    const client = runnerClient(world, token, { systemId: 's_1' });
    const lastUpdate = (await client.request()).headers.get('x-gitlab-last-update') ?? '';
    const first = (await read(id)).contacted_at;
    world.clock.advance(59 * MINUTE);
    const held = client.request(lastUpdate);
    await passing(world);
    world.clock.advance(50_000);
    await passing(world);
    expect((await held).status).toBe(204);
    expect((await read(id)).contacted_at).toBe(first);
    world.clock.advance(MINUTE);
    await client.request(lastUpdate);
    expect((await read(id)).contacted_at).toBe('2026-11-02T09:00:50.000Z');
  });

  test('comes for all managers in one response', async () => {
    const { id, token } = await register(world);
    for (let host = 0; host < 25; host += 1) {
      await runnerClient(world, token, { systemId: `s_${host}` }).verify();
    }
    expect((await world.call('GET', `/runners/${id}/managers`, as())).body).toHaveLength(25);
  });
});

describe('the removal of a GitLab runner', () => {
  test('succeeds for a busy runner, whose job continues without a runner', async () => {
    const { id, token } = await register(world);
    const client = runnerClient(world, token, { systemId: 's_1' });
    world.gitlab.submitJob({ project: 201, tags: ['linux'], script: ['true'] });
    const job = (await client.request()).body;
    expect((await world.call('DELETE', `/runners/${id}`, as())).status).toBe(204);
    expect((await client.request()).status).toBe(403);
    expect((await client.patch(job, 'still here', 0)).status).toBe(202);
    const seen = await world.call('GET', `/projects/201/jobs/${job.id}`, as());
    expect(seen.body).toMatchObject({ status: 'running', runner: null, runner_manager: null });
    expect((await client.update(job, 'success')).status).toBe(200);
  });

  test('leaves the runner and its other managers if one manager is removed', async () => {
    const { id, token } = await register(world);
    for (const systemId of ['s_1', 's_2']) await runnerClient(world, token, { systemId }).verify();
    const remove = (query: string) => world.call('DELETE', `/runners/managers?${query}`);
    expect((await remove(`token=${token}`)).body).toEqual({ error: 'system_id is missing' });
    expect((await remove(`token=${token}&system_id=s_9`)).status).toBe(404);
    expect((await remove(`token=${token}&system_id=s_1`)).status).toBe(204);
    const managers = await world.call('GET', `/runners/${id}/managers`, as());
    expect(managers.body).toMatchObject([{ system_id: 's_2' }]);
  });

  test('requires an admin for several projects, and another call for the owner project', async () => {
    const { id } = await register(world, { runner_type: 'project_type', project_id: 201 });
    const assign = { ...as(), body: { runner_id: id } };
    expect((await world.call('POST', '/projects/102/runners', assign)).status).toBe(201);
    expect((await world.call('DELETE', `/runners/${id}`, as())).body).toEqual({
      message: '403 Forbidden - Runner associated with more than one project',
    });
    expect((await world.call('DELETE', `/projects/201/runners/${id}`, as())).status).toBe(403);
    expect((await world.call('DELETE', `/projects/102/runners/${id}`, as())).status).toBe(204);
    expect((await world.call('DELETE', `/runners/${id}`, as())).status).toBe(204);
  });
});
