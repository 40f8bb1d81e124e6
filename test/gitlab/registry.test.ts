import { describe, expect, test } from '@jest/globals';
import type { RegistrationId, RunnerName, Shard } from '../../src/domain/shard.ts';
import { createGitLabRegistry } from '../../src/gitlab/registry.ts';
import type { PortFailure } from '../../src/ports/failure.ts';
import type { RunnerRegistry } from '../../src/ports/registry.ts';
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

describe('an answer that is not the documented one', () => {
  const answers: [string, Answer, Partial<PortFailure>][] = [
    [
      '401',
      json(401, { message: '401 Unauthorized' }),
      { kind: 'unauthenticated', detail: '401 Unauthorized' },
    ],
    [
      'an expired token',
      json(401, { error: 'invalid_token', error_description: 'Token is expired.' }),
      { kind: 'unauthenticated', detail: 'invalid_token: Token is expired.' },
    ],
    [
      '403',
      json(403, { message: '403 Forbidden - No access granted' }),
      { kind: 'denied', detail: '403 Forbidden - No access granted' },
    ],
    [
      'a missing scope',
      json(403, {
        error: 'insufficient_scope',
        error_description: 'More is needed.',
        scope: 'api manage_runner',
      }),
      { kind: 'denied', detail: 'insufficient_scope: More is needed.: scope: api manage_runner' },
    ],
    [
      '422',
      json(422, { message: { tag_list: ['is bad', 'is long'] } }),
      { kind: 'refused', detail: 'tag_list is bad, is long' },
    ],
    ['500', json(500, { message: '500 Internal Server Error' }), { kind: 'unavailable' }],
    [
      '429 of the application',
      json(429, {
        message: { error: 'This endpoint has been requested too many times. Try again later.' },
      }),
      { kind: 'throttled' },
    ],
    [
      '429 from the front',
      new Response('Retry later\n', { status: 429, headers: { 'retry-after': '900' } }),
      { kind: 'throttled', detail: 'answered 429: Retry later (it asks to wait 901s, 1 attempts)' },
    ],
    [
      'a login page',
      html(200),
      { kind: 'unexpected', detail: 'answered 200 with text/html that is not JSON' },
    ],
    [
      'a proxy that knows no such page',
      html(404),
      { kind: 'unexpected', status: 404, detail: 'Sign in · GitLab' },
    ],
    [
      'an answer cut short',
      new Response('{"id": 48213, "descr', { headers: { 'content-type': 'application/json' } }),
      { kind: 'unexpected' },
    ],
    ['nothing', new Response(null, { status: 200 }), { kind: 'unexpected' }],
    ['an unknown status', json(200, { ...runner, status: 'resting' }), { kind: 'unexpected' }],
    [
      'an unknown execution status',
      json(200, { ...runner, job_execution_status: 'busy' }),
      { kind: 'unexpected' },
    ],
    ['a missing field', json(200, { ...runner, paused: undefined }), { kind: 'unexpected' }],
    ['tags in one text', json(200, { ...runner, tag_list: 'linux' }), { kind: 'unexpected' }],
    [
      'a path that GitLab does not have',
      json(404, { error: '404 Not Found' }),
      { kind: 'refused', status: 404 },
    ],
    ['a reset connection', networkError('ECONNRESET', 'read ECONNRESET'), { kind: 'unreachable' }],
  ];
  test.each(answers)('is a failure of find: %s', async (_, answer, expected) => {
    const { registry } = open({ [one]: answer, [list]: page([]) });
    const error = await failure(registry.find(id));
    expect(error).toMatchObject({
      ...expected,
      effect: 'none',
      source: 'GitLab GET /runners/48213',
    });
  });

  const readers: [string, (registry: RunnerRegistry) => Promise<unknown>][] = [
    ['findByShard', (registry) => registry.findByShard(shard)],
    ['listWorkers', (registry) => registry.listWorkers(id)],
    ['listJobs', (registry) => registry.listJobs(id)],
  ];
  test.each(readers)('is a failure of %s', async (_, call) => {
    for (const [, answer, expected] of answers.slice(0, 11)) {
      const script = {
        [list]: answer,
        'GET /runners/48213/managers': answer,
        'GET /runners/48213/jobs': answer,
      };
      const error = await failure(call(open(script).registry));
      expect(error).toMatchObject({ kind: expected.kind, effect: 'none' });
    }
  });

  test('names the field and the value', async () => {
    const { registry } = open({ [one]: json(200, { ...runner, status: 'resting' }) });
    expect((await failure(registry.find(id))).detail).toBe(
      'status is "resting", which this version does not understand: Invalid option: expected one of "online"|"offline"|"stale"|"never_contacted"',
    );
  });

  test('never carries the token', async () => {
    const words = { message: `bad PRIVATE-TOKEN: glpat-abcdefghij0123456789 for you` };
    const { registry } = open({ [one]: json(400, words) });
    const error = await failure(registry.find(id));
    expect(error.detail).toBe('bad PRIVATE-TOKEN: [MASKED]');
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain('abcdefghij');
  });
});

describe('absent', () => {
  test('is what GitLab says to a token that reads the scope', async () => {
    const { registry } = open({ [one]: runnerMissing, [list]: page([]) });
    await expect(registry.find(id)).resolves.toEqual({ kind: 'absent' });
  });

  test.each([
    [403, 'denied'],
    [401, 'unauthenticated'],
    [404, 'refused'],
  ])('is not believed where the scope answers %d', async (status, kind) => {
    const { registry } = open({
      [one]: runnerMissing,
      [list]: json(status, { message: `${status} says no` }),
      'GET /runners/48213/jobs': runnerMissing,
      'DELETE /runners/48213': runnerMissing,
    });
    await expect(registry.find(id)).rejects.toMatchObject({ kind });
    await expect(registry.listJobs(id)).rejects.toMatchObject({ kind });
    await expect(registry.retire(id)).rejects.toMatchObject({ kind });
  });
});

describe('a list', () => {
  const other = { id: 1, description: 'other' };
  const lists: [string, Answer, string][] = [
    [
      'says nothing of a next page',
      json(200, [other]),
      'page 1 does not say whether there is another',
    ],
    [
      'has a short page in the middle',
      page([other], { 'x-next-page': '2' }),
      'page 1 has 1 items instead of 100',
    ],
    [
      'counts more than it lists',
      page([other], { 'x-total': '2' }),
      '1 items were listed and 2 counted',
    ],
    ['lists one twice', page([other, other]), 'an item was listed twice'],
    ['jumps', page(Array(100).fill(other), { 'x-next-page': '7' }), 'page 1 is followed by 7'],
  ];
  test.each(lists)('that %s is not complete', async (_, answer, gap) => {
    const { registry, sent } = open({ [list]: answer });
    const error = await failure(registry.findByShard(shard));
    expect(error.message).toBe(`GitLab GET /groups/10/runners: the list is not complete: ${gap}`);
    expect(error.kind).toBe('unexpected');
    expect(sent).toHaveLength(3);
  });

  test('that shifted while it was read is read again', async () => {
    const { registry } = open({
      [list]: [
        page([other], { 'x-total': '2' }),
        page([other, { id: 48213, description: 'pink-linux' }]),
      ],
      [one]: json(200, runner),
    });
    await expect(registry.findByShard(shard)).resolves.toHaveLength(1);
  });
});

describe('findByShard', () => {
  const listed = { [list]: page([{ id: 48213, description: 'pink-linux' }]) };

  test('leaves out a runner of a group above', async () => {
    const { registry } = open({ ...listed, [one]: json(200, { ...runner, groups: [{ id: 1 }] }) });
    await expect(registry.findByShard(shard)).resolves.toEqual([]);
  });

  test('leaves out one that is removed while it looks', async () => {
    const { registry } = open({ ...listed, [one]: runnerMissing });
    await expect(registry.findByShard(shard)).resolves.toEqual([]);
  });

  test('says where to look at it', async () => {
    const { registry } = open({ ...listed, [one]: json(200, runner) });
    const [found] = await registry.findByShard(shard);
    expect(found?.url).toBe('https://gitlab.example.com/groups/acme/-/runners/48213');
  });

  test.each([
    [{ kind: 'instance' } as const, 'GET /runners/all'],
    [{ kind: 'project', projectId: 201 } as const, 'GET /projects/201/runners'],
  ])('asks in the scope %j', async (scope, path) => {
    const { client, sent } = createScriptedGitLab({ [path]: page([]) });
    await createGitLabRegistry({ client, scope }).findByShard(shard);
    expect(sent).toEqual([path]);
  });
});

describe('contacted', () => {
  test.each([
    ['never_contacted', false],
    ['online', true],
    ['offline', true],
    ['stale', true],
  ])('%s is %s', async (status, contacted) => {
    const { registry } = open({ [one]: json(200, { ...runner, status }) });
    await expect(registry.find(id)).resolves.toMatchObject({ value: { contacted } });
  });
});

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
