import { describe, expect, test } from '@jest/globals';
import { failureOf } from '../../support/failure-of.ts';
import { json, networkError } from '../../transport/fake-server.ts';
import { html, page, runner, runnerMissing } from '../scripted-gitlab.ts';
import { id, list, one, openRegistry, shard } from './scripted-registry.ts';

describe('a write to the registry', () => {
  const put = 'PUT /runners/48213';
  const lost = networkError('ECONNRESET', 'read ECONNRESET');

  test('goes out once, and a read decides its result', async () => {
    const { registry, sent } = openRegistry({
      [put]: lost,
      [one]: json(200, { ...runner, paused: true }),
    });
    await registry.setIntake(id, 'closed');
    expect(sent).toEqual([put, one]);
  });

  test('stays unknown if its effect is not visible', async () => {
    const { registry, sent } = openRegistry({ [put]: json(502, {}), [one]: json(200, runner) });
    const error = await failureOf(registry.setIntake(id, 'closed'));
    expect(error).toMatchObject({
      kind: 'unavailable',
      effect: 'unknown',
      source: 'GitLab PUT /runners/48213',
    });
    expect(sent).toEqual([put, one]);
  });

  test('stays unknown if the read fails, too', async () => {
    const { registry } = openRegistry({ [put]: html(200), [one]: json(401, {}) });
    const error = await failureOf(registry.route(id, { tags: ['linux'], runUntagged: false }));
    expect(error).toMatchObject({ kind: 'unexpected', effect: 'unknown' });
  });

  test('causes a failure if it succeeds but changes nothing', async () => {
    const { registry } = openRegistry({ [put]: json(200, runner), [one]: json(200, runner) });
    const error = await failureOf(registry.setIntake(id, 'closed'));
    expect(error.detail).toBe('GitLab reported success, but the runner lacks the change');
  });

  test('changes nothing if GitLab refuses it', async () => {
    const words = {
      message: { tags_list: ['can not be empty when runner is not allowed to pick untagged jobs'] },
    };
    const { registry } = openRegistry({ [put]: json(400, words) });
    const error = await failureOf(registry.route(id, { tags: [], runUntagged: false }));
    expect(error).toMatchObject({
      kind: 'refused',
      effect: 'none',
      detail: 'tags_list can not be empty when runner is not allowed to pick untagged jobs',
    });
  });

  test('retires a runner when a read shows that the runner is absent', async () => {
    const { registry, sent } = openRegistry({
      'DELETE /runners/48213': lost,
      [one]: runnerMissing,
      [list]: page([]),
    });
    await expect(registry.retire(id)).resolves.toBe('retired');
    expect(sent).toEqual(['DELETE /runners/48213', one, list]);
  });

  test('creates a runner without retries', async () => {
    const { registry, sent } = openRegistry({ 'POST /user/runners': json(502, {}) });
    const error = await failureOf(registry.create(newRegistration));
    expect(error).toMatchObject({ kind: 'unavailable', effect: 'unknown' });
    expect(sent).toEqual(['POST /user/runners']);
  });

  test('creates a runner in quarantine', async () => {
    const created = json(201, {
      id: 48213,
      token: 'glrt-t1_abcdefghijklmnop',
      token_expires_at: null,
    });
    const { registry, bodies, client } = openRegistry({ 'POST /user/runners': created });
    const { token } = await registry.create(newRegistration);
    expect(bodies).toEqual([
      {
        runner_type: 'group_type',
        group_id: 10,
        description: 'pink-linux',
        maintenance_note: 'ours',
        paused: false,
        locked: true,
        access_level: 'ref_protected',
        run_untagged: false,
        tag_list: ['canary-1-2-linux'],
        maximum_timeout: 3600,
      },
    ]);
    expect(client.redactor.redact(Buffer.from(token).toString('base64'))).toBe('[MASKED]');
  });
});

const newRegistration = {
  shard,
  tags: ['canary-1-2-linux'],
  note: 'ours',
  settings: {
    scope: { kind: 'group', groupId: 10 },
    tags: ['linux'],
    runUntagged: true,
    locked: true,
    accessLevel: 'ref_protected',
    maximumTimeoutSeconds: 3600,
  },
} as const;

describe('a removal with the response 404', () => {
  const remove = 'DELETE /runners/48213';
  const absent = json(404, { message: '404 Not found' });

  test('counts as done if GitLab no longer shows the runner', async () => {
    const { registry } = openRegistry({ [remove]: absent, [one]: runnerMissing, [list]: page([]) });
    expect(await registry.retire(id)).toBe('absent');
  });

  test('does not count as done while GitLab still shows the runner', async () => {
    const { registry } = openRegistry({
      [remove]: absent,
      [one]: json(200, runner),
      [list]: page([runner]),
    });
    expect(await failureOf(registry.retire(id))).toMatchObject({
      kind: 'unexpected',
      effect: 'unknown',
      source: 'GitLab DELETE /runners/48213',
      detail: 'GitLab reports that the runner does not exist, but still lists it',
    });
  });
});
