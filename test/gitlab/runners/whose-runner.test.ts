import { describe, expect, test } from '@jest/globals';
import type { RegistrationSettings } from '../../../src/domain/settings.ts';
import { failureOf } from '../../support/failure-of.ts';
import { json } from '../../transport/fake-server.ts';
import { page, runner } from '../scripted-gitlab.ts';
import { id, list, one, openRegistry, shard } from './scripted-registry.ts';

const listed = page([{ id: 48213, description: 'pink-linux' }]);
const edit = 'PUT /runners/48213';

describe('a runner of the group', () => {
  const found = (more: object) =>
    openRegistry({ [list]: listed, [one]: json(200, { ...runner, ...more }) }).registry.findByShard(
      shard,
    );

  test.each<[string, object, number]>([
    ['with the stack’s group among others', { groups: [{ id: 1 }, { id: 10 }] }, 1],
    ['without a visible group', { groups: [] }, 1],
    ['of parent groups only', { groups: [{ id: 1 }, { id: 2 }] }, 0],
    ['of a project', { runner_type: 'project_type', groups: [] }, 0],
    ['of the instance', { runner_type: 'instance_type', groups: [] }, 0],
  ])('belongs to the stack by its place and type: one %s', async (_, more, count) => {
    expect(await found(more)).toHaveLength(count);
  });
});

test.each<[RegistrationSettings['scope'], boolean, boolean]>([
  [{ kind: 'project', projectId: 201 }, true, false],
  [{ kind: 'group', groupId: 10 }, true, true],
  [{ kind: 'group', groupId: 10 }, false, false],
])('a new runner of %j with locked = %s is locked at once: %s', async (scope, wanted, locked) => {
  const { registry, bodies } = openRegistry({
    'POST /user/runners': json(201, { id: 48213, token: 'glrt-0123456789' }),
  });
  const settings = { scope, locked: wanted, accessLevel: 'not_protected' } as never;
  await registry.create({ shard, settings, tags: ['canary'], note: 'ours' });
  expect(bodies[0]).toMatchObject({ locked, run_untagged: false, paused: false });
});

describe('a change of a runner', () => {
  const routed = (answer: object, tags: readonly string[]) =>
    openRegistry({ [edit]: json(200, { ...runner, ...answer }) }).registry.route(id, {
      tags,
      runUntagged: false,
    });

  test.each<[object, readonly string[]]>([
    [{ tag_list: ['linux'] }, ['linux']],
    [{ tag_list: ['large', 'linux', 'large'] }, ['linux', 'large']],
    [{ tag_list: [] }, []],
  ])('counts as done if GitLab shows it: %j', async (answer, tags) => {
    await expect(routed(answer, tags)).resolves.toBeUndefined();
  });

  test.each<[object, readonly string[]]>([
    [{ tag_list: ['linux'], run_untagged: true }, ['linux']],
    [{ tag_list: ['linux', 'large'] }, ['linux']],
    [{ tag_list: ['linux'] }, ['linux', 'large']],
    [{ tag_list: ['large'] }, ['linux']],
  ])('does not count as done if GitLab shows something else: %j', async (answer, tags) => {
    expect(await failureOf(routed(answer, tags))).toMatchObject({
      kind: 'unexpected',
      effect: 'unknown',
    });
  });
});

test('a job shows its start and its queue time, if GitLab reports them', async () => {
  const jobs = 'GET /runners/48213/jobs';
  const job = (more: object) => ({ id: 7, status: 'running', name: 'build', ...more });
  const read = async (more: object) => {
    const { registry } = openRegistry({ [jobs]: page([job(more)]) });
    const found = await registry.listJobs(id);
    return found.kind === 'found' ? found.value : [];
  };
  const at = '2026-11-02T08:00:00.000Z';
  expect(await read({ started_at: at, queued_duration: 41.5 })).toMatchObject([
    { id: '7', status: 'running', startedAt: at, queuedMs: 41_500 },
  ]);
  for (const queued of [null, -2, undefined]) {
    const [one] = await read({ started_at: null, queued_duration: queued });
    expect(one).not.toHaveProperty('startedAt');
    expect(one).not.toHaveProperty('queuedMs');
  }
  expect(await read({ queued_duration: 0 })).toMatchObject([{ queuedMs: 0 }]);
});
