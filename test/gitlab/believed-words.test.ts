import { describe, expect, test } from '@jest/globals';
import { describeHidden } from '../../src/adapters/gitlab/runners/assignments.ts';
import { tokenInGraphQl } from '../../src/adapters/gitlab/runners/gitlab-token-expiry.ts';
import { findInGraphQl } from '../../src/adapters/gitlab/runners/graphql-reader.ts';
import { readPlaces } from '../../src/adapters/gitlab/runners/places.ts';
import type { RegistrationId } from '../../src/domain/shard.ts';
import { failureOf } from '../support/failure-of.ts';
import { json } from '../transport/fake-server.ts';
import { id, one, openRegistry, shard } from './runners/scripted-registry.ts';
import { createScriptedGitLab, page, runner, runnerMissing } from './scripted-gitlab.ts';

/** Token in an instance's own format, which no token pattern matches. */
const token = 'acme/of-its-own-kind-0123456789';

test.each(['', '0', '48213/../../projects/1', '48213?a=b', '-1', '1e3', '9'.repeat(16)])(
  'an invalid runner id causes no request: %j',
  async (text) => {
    const { registry, sent } = openRegistry({});
    expect(await failureOf(registry.find(text as RegistrationId))).toMatchObject({
      kind: 'refused',
      effect: 'none',
      detail: `${JSON.stringify(text)} is not a runner id of GitLab`,
    });
    expect(sent).toEqual([]);
  },
);

test.each(['group_type', 'project_type', 'any_type'])(
  'a runner of the type %s is no instance runner, whatever its description',
  async (type) => {
    const { registry } = openRegistry(
      {
        'GET /runners/all': page([{ id: 48213, description: 'pink-linux' }]),
        [one]: json(200, { ...runner, runner_type: type }),
      },
      { kind: 'instance' },
    );
    expect(await registry.findByShard(shard)).toEqual([]);
  },
);

describe('a token of an unknown kind', () => {
  test('stays masked from the moment that a runner is created', async () => {
    const { registry, client } = openRegistry({
      'POST /user/runners': json(201, { id: 48213, token }),
    });
    const settings = { scope: { kind: 'group', groupId: 10 } } as never;
    expect(await registry.create({ shard, settings, tags: [], note: '' })).toEqual({ id, token });
    expect(client.redactor.redact(`got ${token}`)).toBe('got [MASKED]');
  });

  test('stays masked from the moment that it is reset', async () => {
    const reset = 'POST /runners/48213/reset_authentication_token';
    const { registry, client } = openRegistry({ [reset]: json(201, { token }) });
    expect(await registry.resetToken(id)).toEqual({ token });
    expect(client.redactor.redact(`got ${token}`)).toBe('got [MASKED]');
  });
});

test.each([
  [503, 'You cannot perform write operations on a read-only instance', 'refused'],
  [403, 'You cannot perform write operations on a read-only instance', 'refused'],
  [403, '403 Forbidden', 'unknown'],
  [400, 'at least one parameter must be provided', 'unknown'],
])('the response %d "%s" to a write probe counts as %s', async (status, message, kind) => {
  const { registry } = openRegistry({ 'PUT /runners/48213': json(status, { message }) });
  expect((await registry.probeWrites(id)).kind).toBe(kind);
});

describe('the projects of a runner', () => {
  const projects = 'GET /runners/48213/projects';
  const inGraphQl = (count: number | null) =>
    json(200, { data: { runner: { projectCount: count, ownerProject: null } } });

  test('stay unknown if GitLab does not count them', async () => {
    for (const answer of [inGraphQl(null), json(200, { data: null }), json(403, {})]) {
      const { client } = createScriptedGitLab({
        [projects]: page([{ id: 101 }]),
        'POST /api/graphql': answer,
      });
      expect(await readPlaces(client, id)).toMatchObject({ seen: [101], hidden: 'unknown' });
    }
  });

  const refusal =
    'Access denied: Your Personal Access Token lacks the required permissions: [read_runner] for "acme".';

  test('stay unknown, and the missing permission is named, if GraphQL refuses the token', async () => {
    for (const data of [null, { runner: null }, { runner: { projectCount: null } }]) {
      const { client } = createScriptedGitLab({
        [projects]: page([{ id: 101 }]),
        'POST /api/graphql': json(200, { data, errors: [{ message: refusal }] }),
      });
      const places = await readPlaces(client, id);
      expect(places).toMatchObject({ seen: [101], hidden: 'unknown', refusal });
      expect(describeHidden(places)).toContain('[read_runner] for "acme"');
    }
  });

  test('cause a failure that names the permission if GraphQL refuses the query, as in REST', async () => {
    const { client } = createScriptedGitLab({
      'POST /api/graphql': json(200, { data: { runner: null }, errors: [{ message: refusal }] }),
    });
    const query = { fields: 'tokenExpiresAt', schema: tokenInGraphQl };
    expect(await failureOf(findInGraphQl(client, id, query))).toMatchObject({
      kind: 'denied',
      effect: 'none',
      detail: refusal,
      ground: { kind: 'missing_permission', permissions: 'read_runner', place: 'acme' },
    });
  });

  test('count as hidden if GitLab counts more than it lists', async () => {
    const { client } = createScriptedGitLab({
      [projects]: page([{ id: 101 }]),
      'POST /api/graphql': inGraphQl(3),
    });
    expect(await readPlaces(client, id)).toMatchObject({ seen: [101], hidden: 2 });
  });

  test('cause an error, not an empty list, if the runner is hidden from the token', async () => {
    const { client } = createScriptedGitLab({ [projects]: runnerMissing });
    expect(await failureOf(readPlaces(client, id))).toMatchObject({ kind: 'refused', status: 404 });
  });
});
