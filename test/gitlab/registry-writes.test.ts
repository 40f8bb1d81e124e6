import { describe, expect, test } from '@jest/globals';
import type { RegistrationId, RunnerName, Shard } from '../../src/domain/shard.ts';
import { createGitLabRegistry } from '../../src/gitlab/registry.ts';
import type { PortFailure } from '../../src/ports/failure.ts';
import { type Answer, json, networkError } from '../transport/fake-server.ts';
import { createScriptedGitLab, html, page, runner, runnerMissing } from './scripted-gitlab.ts';

const id = '48213' as RegistrationId;
const shard = { shard: 'pink' as Shard, runnerName: 'linux' as RunnerName };
const one = 'GET /runners/48213';
const list = 'GET /groups/10/runners';

function open(script: Record<string, Answer | Answer[]>) {
  const gitlab = createScriptedGitLab(script);
  const registry = createGitLabRegistry({
    client: gitlab.client,
    scope: { kind: 'group', groupId: 10 },
  });
  return { ...gitlab, registry };
}

async function failure(promise: Promise<unknown>): Promise<PortFailure> {
  return promise.then(
    (value) => Promise.reject(new Error(`it was answered: ${JSON.stringify(value)}`)),
    (error) => error,
  );
}

describe('a write', () => {
  const put = 'PUT /runners/48213';
  const lost = networkError('ECONNRESET', 'read ECONNRESET');

  test('is sent once and settled by what a read says', async () => {
    const { registry, sent } = open({ [put]: lost, [one]: json(200, { ...runner, paused: true }) });
    await registry.setIntake(id, 'closed');
    expect(sent).toEqual([put, one]);
  });

  test('stays unknown where its effect is not to be seen', async () => {
    const { registry, sent } = open({ [put]: json(502, {}), [one]: json(200, runner) });
    const error = await failure(registry.setIntake(id, 'closed'));
    expect(error).toMatchObject({
      kind: 'unavailable',
      effect: 'unknown',
      source: 'GitLab PUT /runners/48213',
    });
    expect(sent).toEqual([put, one]);
  });

  test('stays unknown where the read fails, too', async () => {
    const { registry } = open({ [put]: html(200), [one]: json(401, {}) });
    const error = await failure(registry.route(id, { tags: ['linux'], runUntagged: false }));
    expect(error).toMatchObject({ kind: 'unexpected', effect: 'unknown' });
  });

  test('that answers well but did nothing is found out', async () => {
    const { registry } = open({ [put]: json(200, runner), [one]: json(200, runner) });
    const error = await failure(registry.setIntake(id, 'closed'));
    expect(error.detail).toBe(
      'it answered that all is well, but the runner is not as it was asked',
    );
  });

  test('that GitLab refuses changed nothing', async () => {
    const words = {
      message: { tags_list: ['can not be empty when runner is not allowed to pick untagged jobs'] },
    };
    const { registry } = open({ [put]: json(400, words) });
    const error = await failure(registry.route(id, { tags: [], runUntagged: false }));
    expect(error).toMatchObject({
      kind: 'refused',
      effect: 'none',
      detail: 'tags_list can not be empty when runner is not allowed to pick untagged jobs',
    });
  });

  test('of retire is settled by the absence of the runner', async () => {
    const { registry, sent } = open({
      'DELETE /runners/48213': lost,
      [one]: runnerMissing,
      [list]: page([]),
    });
    await expect(registry.retire(id)).resolves.toBe('retired');
    expect(sent).toEqual(['DELETE /runners/48213', one, list]);
  });

  test('of create is never sent again', async () => {
    const { registry, sent } = open({ 'POST /user/runners': json(502, {}) });
    const error = await failure(registry.create(newRegistration));
    expect(error).toMatchObject({ kind: 'unavailable', effect: 'unknown' });
    expect(sent).toEqual(['POST /user/runners']);
  });

  test('of create asks for quarantine', async () => {
    const created = json(201, {
      id: 48213,
      token: 'glrt-t1_abcdefghijklmnop',
      token_expires_at: null,
    });
    const { registry, bodies, client } = open({ 'POST /user/runners': created });
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

  test.each(['../1', '', '0', '12 ', 'abc', '1?x=1'])('refuses %j as an id', async (bad) => {
    const { registry, sent } = open({});
    const error = await failure(registry.setIntake(bad as RegistrationId, 'closed'));
    expect(error).toMatchObject({ kind: 'refused', effect: 'none' });
    expect(sent).toEqual([]);
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
