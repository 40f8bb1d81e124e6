import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { AccessLevelName } from '../../../sandbox/gitlab/gitlab.ts';
import { createGitLabWorld, type GitLabWorld } from './gitlab-world.ts';

let world: GitLabWorld;
beforeEach(() => {
  world = createGitLabWorld();
});
afterEach(() => world.close());

function tokenOf(accessLevel: AccessLevelName): string {
  const order = { user: accessLevel, scopes: ['api'], project: 101, accessLevel };
  return world.gitlab.createToken(order).token;
}

async function send(method: string, path: string, body?: unknown, token = world.deployer) {
  const received = await world.call(method, path, { token, body });
  return { status: received.status, body: received.body };
}

const project = '/projects/101';
const variables = `${project}/variables`;
const schedules = `${project}/pipeline_schedules`;
const role = 'ci_pipeline_variables_minimum_override_role';
const schedule = { description: 'finish deployments', ref: 'main', cron: '0 * * * *' };
const variable = { key: 'TOKEN', value: 'glpat-0000' };

describe('the settings of a project', () => {
  test('accept changes of a Maintainer, and stay hidden from a Developer', async () => {
    const changed = { [role]: 'maintainer', auto_cancel_pending_pipelines: 'disabled' };
    expect(await send('PUT', project, changed, tokenOf('maintainer'))).toMatchObject({
      status: 200,
      body: changed,
    });
    const developer = tokenOf('developer');
    expect((await send('GET', project, undefined, developer)).body).not.toHaveProperty(role);
    expect(await send('PUT', project, changed, developer)).toMatchObject({ status: 403 });
  });

  test.each([
    [{ [role]: 'guest' }, { error: `${role} does not have a valid value` }],
    [
      { resource_group_default_process_mode: 'fifo' },
      { error: 'resource_group_default_process_mode does not have a valid value' },
    ],
  ])('refuse %j', async (body, expected) => {
    expect(await send('PUT', project, body)).toEqual({ status: 400, body: expected });
  });

  test('refuse a Maintainer the role owner', async () => {
    const answer = await send('PUT', project, { [role]: 'owner' }, tokenOf('maintainer'));
    expect(answer.status).toBe(400);
  });

  test('decide which user may set pipeline variables', async () => {
    const order = { ref: 'main', variables: [{ key: 'A', value: '1' }] };
    expect(await send('POST', `${project}/pipeline`, order)).toMatchObject({ status: 400 });
    await send('PUT', project, { [role]: 'maintainer' });
    expect(await send('POST', `${project}/pipeline`, order)).toMatchObject({ status: 201 });
    const refused = await send('POST', `${project}/pipeline`, order, tokenOf('developer'));
    expect(refused.status).toBe(400);
  });

  test('give new resource groups their mode, from the version on that has it', async () => {
    await send('PUT', project, { resource_group_default_process_mode: 'oldest_first' });
    const group = `${project}/resource_groups/hosted-runner%2Flinux`;
    expect(await send('GET', group)).toEqual({
      status: 404,
      body: { message: '404 Not found' },
    });
    world.gitlab.createPipeline({ project: 101 });
    expect(await send('GET', group)).toMatchObject({ body: { process_mode: 'oldest_first' } });
    const older = createGitLabWorld(undefined, 7, { version: '18.0' });
    const { body } = await older.call('GET', project, { token: older.deployer });
    expect(body).not.toHaveProperty('resource_group_default_process_mode');
    older.close();
  });
});

describe('a pipeline schedule', () => {
  test('appears in the list with a full ref', async () => {
    expect(await send('POST', schedules, schedule)).toMatchObject({ status: 201 });
    expect(await send('GET', schedules)).toMatchObject({
      body: [{ ...schedule, ref: 'refs/heads/main', active: true, cron_timezone: 'UTC' }],
    });
  });

  test('needs a Maintainer for a protected branch', async () => {
    const developer = tokenOf('developer');
    expect(await send('POST', schedules, schedule, developer)).toEqual({
      status: 400,
      body: {
        message: { base: ['The current user is not authorized to create the pipeline schedule'] },
      },
    });
    const unprotected = { ...schedule, ref: 'feature' };
    expect(await send('POST', schedules, unprotected, developer)).toMatchObject({ status: 201 });
    expect(await send('POST', schedules, schedule, tokenOf('reporter'))).toMatchObject({
      status: 403,
    });
  });

  test.each([
    [{ cron: 'hourly' }, { message: { cron: ['syntax is invalid'] } }],
    [{ description: undefined }, { error: 'description is missing' }],
  ])('cannot be created with %j', async (change, body) => {
    expect(await send('POST', schedules, { ...schedule, ...change })).toEqual({
      status: 400,
      body,
    });
  });
});

describe('a variable', () => {
  test.each(['short', 'has a space in it', 'line\nbreak-0000'])(
    'cannot be masked with the value %j',
    async (value) => {
      const refused = { status: 400, body: { message: { value: ['is invalid'] } } };
      expect(await send('POST', variables, { ...variable, value, masked: true })).toEqual(refused);
      const hidden = { ...variable, value, masked_and_hidden: true };
      expect(await send('POST', variables, hidden)).toEqual(refused);
      await send('POST', variables, variable);
      expect(await send('PUT', `${variables}/TOKEN`, { value, masked: true })).toEqual(refused);
    },
  );

  test('becomes hidden only when it is created', async () => {
    await send('POST', variables, variable);
    const changed = { masked: true, masked_and_hidden: true, environment_scope: 'a/*' };
    expect(await send('PUT', `${variables}/TOKEN`, changed)).toMatchObject({
      status: 200,
      body: { masked: true, hidden: false, environment_scope: 'a/*', value: variable.value },
    });
  });

  test('stays masked if it is hidden', async () => {
    await send('POST', variables, { ...variable, masked_and_hidden: true });
    expect(await send('PUT', `${variables}/TOKEN`, { masked: false })).toEqual({
      status: 400,
      body: {
        message: {
          base: ['The visibility setting cannot be changed for masked and hidden variables.'],
        },
      },
    });
  });

  test('needs a Maintainer', async () => {
    expect(await send('PUT', `${variables}/TOKEN`, {}, tokenOf('developer'))).toMatchObject({
      status: 403,
    });
  });
});

describe('the merged configuration', () => {
  test('contains workflow and jobs at a commit of a pipeline', async () => {
    const { id } = world.gitlab.createPipeline({ project: 101 });
    const { sha } = (await send('GET', `${project}/pipelines/${id}`)).body;
    const { body } = await send('GET', `${project}/ci/lint?content_ref=${sha}`);
    expect(body).toMatchObject({ valid: true, errors: [] });
    expect(body.merged_yaml).toContain('workflow:\n  auto_cancel:\n    on_new_commit: none\n');
    expect(body.merged_yaml).toContain('hosted_runner_provision:\n');
  });

  test.each([
    ['101', 'content_ref=unknown', 404, { message: '404 Commit Not Found' }],
    ['201', '', 200, { valid: false, merged_yaml: null }],
  ])('lint of project %s with "%s" returns %i', async (id, query, status, body) => {
    expect(await send('GET', `/projects/${id}/ci/lint?${query}`)).toMatchObject({ status, body });
  });
});
