import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createGitLabWorld, type GitLabWorld, passing } from '../gitlab-world.ts';
import { register, runnerClient } from './runner-client.ts';

let world: GitLabWorld;
beforeEach(() => {
  world = createGitLabWorld();
});
afterEach(() => world.close());

const submit = (tags: string[] = ['linux'], more: object = {}) =>
  world.gitlab.submitJob({ project: 201, tags, script: ['echo hello'], ...more }).id;

describe('a request for a job', () => {
  describe('a request with the newest value of its queue', () => {
    const quiet = async (tags: string[] = ['linux']) => {
      const { id, token } = await register(world, { tag_list: tags });
      const client = runnerClient(world, token, { systemId: 's_1' });
      const nothing = await client.request();
      const lastUpdate = nothing.headers.get('x-gitlab-last-update') ?? '';
      return { id, client, lastUpdate };
    };
    const isAnswered = async (held: Promise<unknown>) =>
      (await Promise.race([held.then(() => true), passing(world)])) === true;

    test('stays open for 50 seconds, and is then answered without a queue value', async () => {
      const { client, lastUpdate } = await quiet();
      const held = client.request(lastUpdate);
      expect(await isAnswered(held)).toBe(false);
      world.clock.advance(49_999);
      expect(await isAnswered(held)).toBe(false);
      world.clock.advance(1);
      await passing(world);
      const { status, headers } = await held;
      expect([status, headers.get('x-gitlab-last-update')]).toEqual([204, null]);
    });

    test('ends at a suitable job, which the next request receives', async () => {
      const { client, lastUpdate } = await quiet();
      const held = client.request(lastUpdate);
      expect(await isAnswered(held)).toBe(false);
      submit();
      expect((await held).status).toBe(204);
      expect((await client.request(lastUpdate)).status).toBe(201);
    });

    test('stays open at another runner’s job', async () => {
      const { client, lastUpdate } = await quiet(['arm']);
      const held = client.request(lastUpdate);
      submit(['linux']);
      expect(await isAnswered(held)).toBe(false);
      submit(['arm']);
      expect((await held).status).toBe(204);
    });

    test('ends at a pause, and later requests receive no job', async () => {
      const { id, client, lastUpdate } = await quiet();
      const held = client.request(lastUpdate);
      expect(await isAnswered(held)).toBe(false);
      const body = { paused: true };
      await world.call('PUT', `/runners/${id}`, { token: world.deployer, body });
      submit();
      expect((await held).status).toBe(204);
      expect((await client.request(lastUpdate)).status).toBe(204);
    });

    test('reaches GitLab itself again once the queue’s value is an hour old', async () => {
      const { client, lastUpdate } = await quiet();
      world.clock.advance(60 * 60 * 1000);
      const answer = await client.request(lastUpdate);
      expect([answer.status, answer.headers.get('x-gitlab-last-update')]).not.toEqual([
        204,
        lastUpdate,
      ]);
    });

    test('ends at once if long polling is off', async () => {
      world.close();
      world = createGitLabWorld(undefined, 7, { longPollMs: 0 });
      const { client, lastUpdate } = await quiet();
      const answer = await client.request(lastUpdate);
      expect([answer.status, answer.headers.get('x-gitlab-last-update')]).toEqual([
        204,
        lastUpdate,
      ]);
    });
  });

  test('gets the oldest job first', async () => {
    const { token } = await register(world);
    const client = runnerClient(world, token, { systemId: 's_1' });
    const ids = [submit(), submit(), submit()];
    const got = [await client.request(), await client.request(), await client.request()];
    expect(got.map(({ body }) => body.id)).toEqual(ids);
  });

  test.each<[string, object, { tags?: string[]; ref?: string }, number]>([
    [
      'a runner with every tag of the job matches',
      { tag_list: ['linux', 'arm'] },
      { tags: ['linux'] },
      201,
    ],
    [
      'a runner with a tag too few does not match',
      { tag_list: ['linux'] },
      { tags: ['linux', 'arm'] },
      204,
    ],
    ['a tag in another case does not match', { tag_list: ['Linux'] }, { tags: ['linux'] }, 204],
    ['untagged jobs match by default', {}, { tags: [] }, 201],
    [
      'untagged jobs match no runner without run_untagged',
      { run_untagged: false },
      { tags: [] },
      204,
    ],
    ['another ref does not match', { access_level: 'ref_protected' }, { ref: 'feature' }, 204],
    ['a protected ref matches', { access_level: 'ref_protected' }, { ref: 'main' }, 201],
    ['another project does not match', { runner_type: 'project_type', project_id: 102 }, {}, 204],
    ['its own project matches', { runner_type: 'project_type', project_id: 201 }, {}, 201],
  ])('follows the tags and scope: %s', async (_, settings, { tags, ...more }, status) => {
    const { token } = await register(world, { ...settings });
    submit(tags, more);
    expect((await runnerClient(world, token, { systemId: 's_1' }).request()).status).toBe(status);
  });

  test('never receives a stage of a deployment, but its canary', async () => {
    const { token } = await register(world, { tag_list: ['operations', 'canary-101-1-linux'] });
    world.gitlab.createPipeline({ project: 101, runnerNames: ['linux'] });
    const client = runnerClient(world, token, { systemId: 's_1' });
    expect((await client.request()).body.job_info.name).toBe('hosted_runner_canary');
    expect((await client.request()).status).toBe(204);
  });

  test('receives everything that a shell needs', async () => {
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
