import { describe, expect, test } from '@jest/globals';
import { replay } from '../../src/recording/replay.ts';
import { concrete } from '../gitlab/answers/answering-gitlab.ts';
import { endpointsOf, type KnownAnswer, versions } from '../gitlab/answers/known-answers.ts';
import { notQueried } from '../gitlab/answers/questions.ts';
import { type FetchFunction, json } from '../transport/fake-server.ts';
import { record } from './recorded.ts';

const supported = versions.slice(versions.indexOf('17.5'));

function responseOf({ status, body, headers = {} }: KnownAnswer): Response {
  const sentHeaders = { 'content-type': headers['content-type'] ?? 'application/json' };
  const isEmpty = status === 204 || body === null || body === '';
  const text = sentHeaders['content-type'] === 'text/plain' ? String(body) : JSON.stringify(body);
  return new Response(isEmpty ? null : text, { status, headers: sentHeaders });
}

/** Records responses of a GitLab version and reads them again from the recording. */
async function replayAll(version: string, answered: readonly (readonly [string, KnownAnswer])[]) {
  let turn = -1;
  const fetch: FetchFunction = async () => {
    turn += 1;
    const [, answer] = answered[turn - 1] ?? [];
    if (answer === undefined) return json(200, { version: `${version}.1-ee` });
    return responseOf(concrete(answer, version));
  };
  const requests = answered.map(([call], index) => {
    const [method = '', path = ''] = call.split(' ');
    const url = path.slice(1).replace(/:\w+/g, String(index + 1));
    return { method, url: url.replace(/^(runners.*jobs)$/, '$1?status=running') };
  });
  const lines = await record(fetch, [{ url: 'metadata' }, ...requests]);
  const { answers, damage } = replay(lines.join('\n'));
  expect(damage).toEqual([]);
  return answers.slice(1);
}

async function replayed(version: string, call: string, answer: KnownAnswer) {
  const [only] = await replayAll(version, [[call, answer]]);
  return only;
}

describe.each(supported)('the recordings of GitLab %s', (version) => {
  const endpoints = endpointsOf(version).filter(({ call }) => !(call in notQueried));

  test('contain every known response, which is read back as known', async () => {
    const good = endpoints.flatMap(({ call, success, variants }) =>
      success === undefined
        ? []
        : [success, ...Object.values(variants)].map((answer) => [call, answer] as const),
    );
    for (const found of await replayAll(version, good)) {
      // A variant may have fewer fields than the union of all.
      const differences = found.differences.filter((one) => !one.startsWith('fewer fields'));
      expect({ ...found, differences }).toEqual({
        line: found.line,
        call: found.call,
        status: found.status,
        version: `${version}.1-ee`,
        against: version,
        outcome: 'read',
        detail: '',
        differences: [],
      });
    }
  });

  test('contain every known refusal, which is classified as known', async () => {
    const bad = endpoints.flatMap(({ call, conditions }) =>
      conditions.filter(({ status }) => status >= 400).map((answer) => [call, answer] as const),
    );
    for (const found of await replayAll(version, bad)) {
      expect(found).toMatchObject({ outcome: 'refused', differences: [], against: version });
    }
  });
});

const runner = {
  id: 48213,
  description: 'pink-linux',
  paused: false,
  runner_type: 'group_type',
  tag_list: ['linux'],
  run_untagged: false,
  contacted_at: null,
};

describe('a replayed response', () => {
  test('causes a report with its reader, the field and the value if it cannot be read', async () => {
    const answer = { status: 200, body: { ...runner, paused: 'perhaps', tag_list: 'linux' } };
    expect(await replayed('18.7', 'GET /runners/:id', answer)).toMatchObject({
      line: 3,
      call: 'GET /runners/:id',
      status: 200,
      outcome: 'unread',
      detail: expect.stringMatching(
        /^the registration: paused is "<text [0-9a-f]{6}>", which this version does not support: /,
      ),
    });
  });

  test('causes a report of the fields that differ from its version’s known ones', async () => {
    const body = { ...runner, online: 'yes', job_execution_status: 'idle', mood: 'good' };
    expect(await replayed('17.11', 'GET /runners/:id', { status: 200, body })).toMatchObject({
      outcome: 'read',
      against: '17.11',
      differences: [
        'more fields: job_execution_status, mood',
        expect.stringMatching(/^fewer fields: ip_address, active, is_shared, name, status, /),
        'online is string instead of boolean or null',
      ],
    });
  });

  test('gets compared with the earlier version if its version is between two known ones', async () => {
    const body = { ...runner, created_by: { id: 7 } };
    const found = await replayed('18.5', 'GET /runners/:id', { status: 200, body });
    expect(found).toMatchObject({ version: '18.5.1-ee', against: '18.0' });
    expect(found?.differences[0]).toBe('more fields: created_by');
  });

  test('gets no comparison if its version is older than all known ones', async () => {
    const found = await replayed('16.11', 'GET /runners/:id', { status: 200, body: runner });
    expect(found).toMatchObject({ outcome: 'read', differences: [] });
    expect(found).not.toHaveProperty('against');
  });

  test('causes a report if its refusal has an unknown text', async () => {
    const body = { message: 'Runner is busy' };
    expect(await replayed('18.7', 'DELETE /runners/:id', { status: 403, body })).toMatchObject({
      outcome: 'refused',
      detail: 'denied: Runner is …',
      differences: ['this version is not known to refuse in this way'],
    });
  });

  test('counts as unreadable if it is not JSON', async () => {
    const page = { status: 200, body: 'Hello.', headers: { 'content-type': 'text/plain' } };
    expect(await replayed('18.7', 'GET /runners/:id', page)).toMatchObject({
      outcome: 'unread',
      detail: 'it is not JSON, but 6 characters',
    });
  });

  test('gets the result of an earlier call with the same response', async () => {
    const requests = [{ url: 'runners/1' }, { url: 'runners/1' }];
    const lines = await record(async () => json(200, { ...runner, paused: 1 }), requests);
    const { answers } = replay(lines.join('\n'));
    expect(answers.map(({ line, outcome }) => [line, outcome])).toEqual([
      [2, 'unread'],
      [3, 'unread'],
    ]);
  });
});

describe('a replayed GraphQL response, which is not in the data', () => {
  async function reread(status: number, body: unknown) {
    const turns = [json(200, { version: '18.7.1-ee' }), json(status, body)];
    const fetch: FetchFunction = async () => turns.shift() ?? json(500, {});
    const lines = await record(fetch, [
      { url: 'metadata' },
      { method: 'POST', url: '../graphql', body: '{"query":"hush"}' },
    ]);
    const { answers, damage } = replay(lines.join('\n'));
    expect(damage).toEqual([]);
    return answers[1];
  }
  const runnerWith = (fields: unknown) => ({ data: { runner: fields } });

  test.each([
    ['an active runner', runnerWith({ jobExecutionStatus: 'ACTIVE' })],
    ['an idle runner', runnerWith({ jobExecutionStatus: 'IDLE' })],
    ['projects', runnerWith({ projectCount: 3, ownerProject: { id: 'gid://gitlab/Project/7' } })],
    ['no visible project', runnerWith({ projectCount: null, ownerProject: null })],
    ['a runner without access', runnerWith(null)],
  ])('matches GitLab’s source: %s', async (_, body) => {
    expect(await reread(200, body)).toEqual({
      line: 3,
      call: 'POST /api/graphql',
      status: 200,
      version: '18.7.1-ee',
      against: 'according to its source, app/graphql/types/ci/runner_type.rb (not in the data)',
      outcome: 'read',
      detail: '',
      differences: [],
    });
  });

  test.each([
    [
      runnerWith({ jobExecutionStatus: 'PAUSED' }),
      'jobExecutionStatus is "PAUSED" instead of IDLE or ACTIVE',
    ],
    [runnerWith({ jobExecutionStatus: 'IDLE', mood: 'good' }), 'more fields: mood'],
    [{ data: null }, 'fewer fields: data.runner'],
    [
      { errors: [{ message: "Field 'jobExecutionStatus' doesn't exist on type 'CiRunner'" }] },
      'errors, although it is known to have every requested field',
    ],
  ])('causes a report if it differs: %j', async (body, difference) => {
    expect(await reread(200, body)).toMatchObject({ outcome: 'read', differences: [difference] });
  });

  test('causes a report with both readers if it cannot be read', async () => {
    expect(await reread(200, runnerWith({ projectCount: 'three' }))).toMatchObject({
      outcome: 'unread',
      detail: expect.stringContaining('the assignments: data.runner.projectCount is '),
      differences: [expect.stringMatching(/^projectCount is .* instead of a number or null$/)],
    });
  });

  test('counts as known if it refuses a token, and an unknown text is reported', async () => {
    const refusal = (message: string) => reread(401, { errors: [{ message }] });
    expect(await refusal('Invalid token')).toMatchObject({ outcome: 'refused', differences: [] });
    const expected = ['this version is not known to refuse in this way'];
    expect(await refusal('Go away')).toMatchObject({ differences: expected });
  });
});

describe('a recording file', () => {
  test('gets read as far as possible if it ends within a line or has foreign lines', async () => {
    const lines = await record(async () => json(200, runner), [{ url: 'runners/1' }, { url: 'x' }]);
    const text = `\ufeff${['hello', '{"kind":"call"}', '[1]', ...lines].join('\r\n').slice(0, -20)}`;
    const { answers, runs, damage } = replay(text);
    expect([runs, answers.length]).toEqual([1, 1]);
    expect(damage).toEqual([
      'line 1 is not a line of a recording',
      'line 2 is not a line of a recording',
      'line 3 is not a line of a recording',
      'line 6 is incomplete: the run was killed, or the file was truncated',
    ]);
  });

  test('causes a report if its schema or a kind of call is unknown', () => {
    const text = [
      '{"run":"a","n":1,"kind":"recording","schema":2,"program":"9.0.0"}',
      '{"run":"a","n":2,"kind":"call","system":"gitea","method":"GET","route":"/x","status":200}',
      '{"run":"a","n":3,"kind":"call","system":"gitlab","method":"GET","route":"/x","same_as":9}',
    ].join('\n');
    expect(replay(text)).toMatchObject({
      runs: 1,
      answers: [],
      damage: [
        'line 1 starts a run of schema 2, but this version of hosted-runner supports 1',
        'line 2 is an unknown call',
        'line 3 is an unknown call',
      ],
    });
  });
});
