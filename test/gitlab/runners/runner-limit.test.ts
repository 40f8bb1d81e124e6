import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { RunnerScope } from '../../../src/adapters/gitlab/jobs/visibility.ts';
import { createGitLabRegistry } from '../../../src/adapters/gitlab/runners/gitlab-registry.ts';
import { json } from '../../transport/fake-server.ts';
import { createSandboxGitLab, type SandboxGitLab } from '../sandbox-gitlab.ts';
import { openRegistry } from './scripted-registry.ts';

const group = { kind: 'group', groupId: 10 } as const;
const project = { kind: 'project', projectId: 201 } as const;
const namespace = (fields: object) => json(200, { id: 10, parent_id: null, ...fields });
const total = (most: number) => json(200, [], { 'x-total': String(most) });
const refused = json(403, { message: '403 Forbidden' });
const limits = (most: number) =>
  json(200, { ci_registered_group_runners: most, ci_registered_project_runners: most });
const [all, stale] = [total(50), total(0)];

interface Facts {
  runners?: Response[];
  plan?: Response;
  limits?: Response;
  above?: Response[];
  scope?: RunnerScope;
}

async function reached({ runners = [all, stale], plan, limits, above = [], scope = group }: Facts) {
  const { registry, sent } = openRegistry(
    {
      'GET /groups/10/runners': runners,
      'GET /projects/201/runners': runners,
      'GET /projects/201': json(200, { id: 201, namespace: { id: 10 } }),
      'GET /namespaces/10': plan ?? refused,
      'GET /application/plan_limits': limits ?? refused,
      'GET /groups/9/runners': above,
    },
    scope,
  );
  return { found: await registry.findReachedLimit(), sent };
}

const free = namespace({ plan: 'free' });

describe('the limit of runners', () => {
  test.each<[string, Facts, object | undefined]>([
    ['the free plan is full', { plan: free }, { most: 50, count: 50, isCertain: true }],
    [
      'the free plan of a project is full',
      { plan: free, scope: project },
      { place: 'project', isCertain: true },
    ],
    ['the free plan has capacity', { plan: free, runners: [total(49)] }, undefined],
    [
      'the free plan holds more than it allows',
      { plan: free, runners: [total(51), stale] },
      { most: 50, count: 51, isCertain: true },
    ],
    [
      'the free plan of a project has capacity',
      { plan: free, scope: project, runners: [total(49)] },
      undefined,
    ],
    [
      'an administrator reads the limit of a project',
      { plan: namespace({ plan: 'default' }), limits: limits(50), scope: project },
      { place: 'project', most: 50, isCertain: true },
    ],
    [
      'one stale runner of 51 leaves no capacity',
      { plan: free, runners: [total(51), total(1)] },
      { most: 50, count: 50, isCertain: true },
    ],
    ['stale runners do not count', { plan: free, runners: [total(52), total(3)] }, undefined],
    [
      'runners above the group do not count',
      { plan: namespace({ plan: 'free', parent_id: 9 }), above: [total(5), total(1)] },
      undefined,
    ],
    [
      'runners above the group cannot be counted',
      { plan: namespace({ plan: 'free', parent_id: 9 }), above: [refused] },
      { count: 50, isCertain: false },
    ],
    [
      'stale runners cannot be counted',
      { plan: free, runners: [all, refused] },
      { isCertain: false },
    ],
    [
      'an administrator reads the limit',
      { plan: namespace({ plan: 'default' }), limits: limits(50) },
      { most: 50, isCertain: true },
    ],
    [
      'an administrator reads a higher limit',
      { plan: namespace({ plan: 'default' }), limits: limits(51) },
      undefined,
    ],
    [
      'a limit of zero means no limit',
      { plan: namespace({ plan: 'default' }), limits: limits(0) },
      undefined,
    ],
    ['every read fails', {}, { most: 50, isCertain: false }],
    ['the plan is hidden', { plan: namespace({}) }, { most: 50, isCertain: false }],
    [
      'another plan is known to have more capacity',
      { plan: namespace({ plan: 'premium' }) },
      undefined,
    ],
    [
      'another plan is assumed to be full',
      { plan: namespace({ plan: 'premium' }), runners: [total(1000), stale] },
      { most: 1000, isCertain: false },
    ],
    ['the runners cannot be counted', { plan: free, runners: [json(200, [])] }, undefined],
    ['the list is refused', { plan: free, runners: [refused] }, undefined],
  ])('follows the plan and the counts: %s', async (_, facts, expected) => {
    const { found } = await reached(facts);
    if (expected === undefined) expect(found).toBeUndefined();
    else expect(found).toMatchObject(expected);
  });

  test('does not exist for an instance, and costs no call', async () => {
    const { found, sent } = await reached({ scope: { kind: 'instance' } });
    expect([found, sent]).toEqual([undefined, []]);
  });
});

describe('the runner limit in the sandbox', () => {
  let sandbox: SandboxGitLab;
  beforeEach(() => {
    sandbox = createSandboxGitLab();
  });
  afterEach(() => sandbox.world.close());

  const order = (scope: RunnerScope, shard = 'pink') =>
    ({
      shard: { shard, runnerName: 'linux' },
      settings: { scope, accessLevel: 'not_protected', locked: false },
      tags: ['canary'],
      note: '',
    }) as never;
  const administrator = (scope: RunnerScope) => {
    const token = { user: 'root', scopes: ['api'], accessLevel: 'admin' as const };
    const client = sandbox.as(sandbox.world.gitlab.createToken(token).token);
    return createGitLabRegistry({ client, scope });
  };

  test('shows its value to an administrator, and not to another owner', async () => {
    sandbox.world.gitlab.setRunnerLimit(1);
    const owner = createGitLabRegistry({ client: sandbox.client, scope: group });
    await owner.create(order(group));
    expect(await administrator(group).findReachedLimit()).toEqual({
      place: 'group',
      most: 1,
      count: 1,
      isCertain: true,
    });
    expect(await owner.findReachedLimit()).toBeUndefined();
  });

  test.each([
    [{ kind: 'group', groupId: 10 } as const, 'group'],
    [{ kind: 'project', projectId: 101 } as const, 'project'],
  ])('counts paused runners as GitLab does: %j', async (scope, place) => {
    sandbox.world.gitlab.setRunnerLimit(2);
    const admin = administrator(scope);
    const { id } = await admin.create(order(scope));
    await admin.setIntake(id, 'closed');
    expect(await admin.findReachedLimit()).toBeUndefined();
    await admin.create(order(scope, 'purple'));
    expect(await admin.findReachedLimit()).toMatchObject({ place, most: 2, count: 2 });
    const third = admin.create(order(scope, 'third'));
    await expect(third).rejects.toMatchObject({ ground: { place, most: 2 } });
  });

  test('does not exist for an instance, which accepts another runner', async () => {
    sandbox.world.gitlab.setRunnerLimit(0);
    const admin = administrator({ kind: 'instance' });
    expect(await admin.findReachedLimit()).toBeUndefined();
    expect((await admin.create(order({ kind: 'instance' }))).id).toMatch(/^\d+$/);
  });
});
