import { describe, expect, test } from '@jest/globals';
import { json } from '../../transport/fake-server.ts';
import { id, one, openRegistry } from '../runners/scripted-registry.ts';
import { page, runner } from '../scripted-gitlab.ts';

const user = 'GET /user';
const members = 'GET /groups/10/members/all/7';
const metadata = 'GET /metadata';
const graphQl = 'POST /api/graphql';
const { job_execution_status: _, ...older } = runner;
const deployer = json(200, { id: 7, username: 'deployer' });
const administrator = json(200, { id: 7, username: 'root', is_admin: true });
const level = (access: number) => json(200, { id: 7, access_level: access });
const base = {
  [one]: json(200, runner),
  [user]: deployer,
  [members]: level(20),
  [metadata]: json(200, { version: '19.3.0-ee' }),
};

describe('a complete job list', () => {
  test('needs Reporter of the group', async () => {
    await expect(openRegistry(base).registry.readSight(id)).resolves.toEqual({
      list: 'whole',
      reason: 'deployer can read every project of the group',
      execution: 'idle',
      hiddenMs: 1_800_000,
    });
  });

  test('needs an administrator if GitLab lists all runners for the token', async () => {
    const script = { ...base, [user]: administrator, 'GET /runners/all': page([]) };
    await expect(openRegistry(script).registry.readSight(id)).resolves.toMatchObject({
      list: 'whole',
      reason: 'root is an administrator',
    });
  });
});

describe('a job list that is not proven complete', () => {
  test.each([
    ['a guest of the group', { [members]: level(10) }],
    ['a user outside the group', { [members]: json(404, { message: '404 Not found' }) }],
    [
      'an administrator without admin mode',
      { [user]: administrator, 'GET /runners/all': json(403, { message: '403 Forbidden' }) },
    ],
    ['a runner of another group', { [one]: json(200, { ...runner, groups: [{ id: 11 }] }) }],
    ['a runner whose group is not shown', { [one]: json(200, { ...runner, groups: [] }) }],
    ['a project runner', { [one]: json(200, { ...runner, runner_type: 'project_type' }) }],
    ['a token without a visible user', { [user]: json(403, { error: 'insufficient_scope' }) }],
  ])('belongs to %s', async (_name, changes) => {
    const { registry } = openRegistry({ ...base, ...changes });
    await expect(registry.readSight(id)).resolves.toMatchObject({
      list: 'unproven',
      reason: 'the token may be unable to see the jobs of every project',
    });
  });
});

test('a refused GraphQL query leaves the execution unknown and names the missing permission', async () => {
  const message =
    'Access denied: Your Personal Access Token lacks the required permissions: [read_runner] for "acme".';
  const refusal = json(200, { data: { runner: null }, errors: [{ message }] });
  const { registry } = openRegistry({ ...base, [one]: json(200, older), [graphQl]: refusal });
  await expect(registry.readSight(id)).resolves.toMatchObject({
    list: 'whole',
    reason: `deployer can read every project of the group: ${message}`,
    execution: 'unknown',
  });
});

describe('the job execution status, if REST lacks it', () => {
  const responseOf = (word: unknown) =>
    json(200, { data: { runner: { jobExecutionStatus: word } } });
  test.each([
    ['ACTIVE', responseOf('ACTIVE'), 'active'],
    ['IDLE', responseOf('IDLE'), 'idle'],
    ['an unknown value', responseOf('NAPPING'), 'unknown'],
    ['a runner that GraphQL does not show', json(200, { data: { runner: null } }), 'unknown'],
    ['a refusal', json(401, { errors: [{ message: 'Invalid token' }] }), 'unknown'],
    ['no GraphQL', json(404, { error: '404 Not Found' }), 'unknown'],
  ])('comes from GraphQL: %s', async (_name, answer, execution) => {
    const script = { ...base, [one]: json(200, older), [graphQl]: answer };
    const { registry, bodies } = openRegistry(script);
    await expect(registry.readSight(id)).resolves.toMatchObject({ execution });
    expect(bodies).toContainEqual({
      query: 'query { runner(id: "gid://gitlab/Ci::Runner/48213") { jobExecutionStatus } }',
    });
  });
});

test.each([
  ['17.5.0-ee', 3_600_000],
  ['19.1.2', 3_600_000],
  ['19.2.0-pre', 1_800_000],
  ['20.0.0', 1_800_000],
  ['tomorrow', 3_600_000],
])('GitLab %s ends a canceling job after %s ms', async (version, hiddenMs) => {
  const { registry } = openRegistry({ ...base, [metadata]: json(200, { version }) });
  await expect(registry.readSight(id)).resolves.toMatchObject({ hiddenMs });
});

describe('the write probe', () => {
  const change = 'PUT /runners/48213';
  const words = 'You cannot perform write operations on a read-only instance';
  test('reports the refusal of maintenance mode at once, by an update without changes', async () => {
    const { registry, clock } = openRegistry({ [change]: json(403, { message: words }) });
    await expect(registry.probeWrites(id)).resolves.toEqual({
      kind: 'refused',
      detail: `answered 403: ${words}`,
    });
    expect(clock.elapsed()).toBe(0);
  });

  test('remembers the refusal of an earlier write, whose error has the time of the next attempt', async () => {
    const refused = json(403, { message: words });
    const { registry, clock } = openRegistry({
      [change]: [refused, json(200, { ...runner, paused: true })],
    });
    const error = { kind: 'read_only', effect: 'none', againInMs: 30_000 };
    await expect(registry.setIntake(id, 'closed')).rejects.toMatchObject(error);
    await registry.setIntake(id, 'closed');
    await clock.sleep(600_000);
    await expect(registry.probeWrites(id)).resolves.toEqual({ kind: 'unknown' });
    expect(registry.lastRefusal()?.detail).toBe(`answered 403: ${words}`);
    expect(registry.lastRefusal()?.agoMs).toBeGreaterThanOrEqual(600_000);
  });
});
