import { describe, expect, test } from '@jest/globals';
import { replay } from '../../src/recording/replay.ts';
import { concrete } from '../gitlab/answers/answering-gitlab.ts';
import { endpointsOf, type KnownAnswer, versions } from '../gitlab/answers/known-answers.ts';
import { notAsked } from '../gitlab/answers/questions.ts';
import { type FetchFunction, json } from '../transport/fake-server.ts';
import { record } from './recorded.ts';

const supported = versions.slice(versions.indexOf('17.5'));

function responseOf({ status, body, headers = {} }: KnownAnswer): Response {
  const told = { 'content-type': headers['content-type'] ?? 'application/json' };
  const isEmpty = status === 204 || body === null || body === '';
  const text = told['content-type'] === 'text/plain' ? String(body) : JSON.stringify(body);
  return new Response(isEmpty ? null : text, { status, headers: told });
}

/** What is read again of such answers of a GitLab of that version, after they were recorded. */
async function replayAll(version: string, answered: readonly (readonly [string, KnownAnswer])[]) {
  let turn = -1;
  const fetch: FetchFunction = async () => {
    turn += 1;
    const [, answer] = answered[turn - 1] ?? [];
    if (answer === undefined) return json(200, { version: `${version}.1-ee` });
    return responseOf(concrete(answer, version));
  };
  const asked = answered.map(([call], index) => {
    const [method = '', path = ''] = call.split(' ');
    const url = path.slice(1).replace(/:\w+/g, String(index + 1));
    return { method, url: url.replace(/^(runners.*jobs)$/, '$1?status=running') };
  });
  const lines = await record(fetch, [{ url: 'metadata' }, ...asked]);
  const { answers, damage } = replay(lines.join('\n'));
  expect(damage).toEqual([]);
  return answers.slice(1);
}

async function replayed(version: string, call: string, answer: KnownAnswer) {
  const [only] = await replayAll(version, [[call, answer]]);
  return only;
}

describe.each(supported)('of GitLab %s', (version) => {
  const asked = endpointsOf(version).filter(({ call }) => !(call in notAsked));

  test('every known answer is recorded, read again and known', async () => {
    const good = asked.flatMap(({ call, success, variants }) =>
      success === undefined
        ? []
        : [success, ...Object.values(variants)].map((answer) => [call, answer] as const),
    );
    for (const found of await replayAll(version, good)) {
      // A variant may have fewer fields than all of them together.
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

  test('every known refusal is recorded, taken for what it is, and known', async () => {
    const bad = asked.flatMap(({ call, conditions }) =>
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

describe('an answer', () => {
  test('that cannot be read is told with who reads it, the field and the value', async () => {
    const answer = { status: 200, body: { ...runner, paused: 'perhaps', tag_list: 'linux' } };
    expect(await replayed('18.7', 'GET /runners/:id', answer)).toMatchObject({
      line: 3,
      call: 'GET /runners/:id',
      status: 200,
      outcome: 'unread',
      detail: expect.stringMatching(
        /^the registration: paused is "<text [0-9a-f]{6}>", which this version does not understand: /,
      ),
    });
  });

  test('with other fields than the known ones of its version is read, and told', async () => {
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

  test('of a version between two known ones is held against the one before', async () => {
    const body = { ...runner, created_by: { id: 7 } };
    const found = await replayed('18.5', 'GET /runners/:id', { status: 200, body });
    expect(found).toMatchObject({ version: '18.5.1-ee', against: '18.0' });
    expect(found?.differences[0]).toBe('more fields: created_by');
  });

  test('of a version before all known ones is held against none', async () => {
    const found = await replayed('16.11', 'GET /runners/:id', { status: 200, body: runner });
    expect(found).toMatchObject({ outcome: 'read', differences: [] });
    expect(found).not.toHaveProperty('against');
  });

  test('that refuses in other words than the known ones is told', async () => {
    const body = { message: 'Runner is busy' };
    expect(await replayed('18.7', 'DELETE /runners/:id', { status: 403, body })).toMatchObject({
      outcome: 'refused',
      detail: 'denied: Runner is …',
      differences: ['it is not known to refuse so'],
    });
  });

  test('that is no JSON cannot be read', async () => {
    const page = { status: 200, body: 'Hello.', headers: { 'content-type': 'text/plain' } };
    expect(await replayed('18.7', 'GET /runners/:id', page)).toMatchObject({
      outcome: 'unread',
      detail: 'it is not JSON, but 6 characters',
    });
  });

  test('that is that of a call before is what that one was', async () => {
    const asked = [{ url: 'runners/1' }, { url: 'runners/1' }];
    const lines = await record(async () => json(200, { ...runner, paused: 1 }), asked);
    const { answers } = replay(lines.join('\n'));
    expect(answers.map(({ line, outcome }) => [line, outcome])).toEqual([
      [2, 'unread'],
      [3, 'unread'],
    ]);
  });
});

describe('an answer of GraphQL, which is not in the data', () => {
  async function asked(status: number, body: unknown) {
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
    ['a runner at work', runnerWith({ jobExecutionStatus: 'ACTIVE' })],
    ['an idle one', runnerWith({ jobExecutionStatus: 'IDLE' })],
    ['its places', runnerWith({ projectCount: 3, ownerProject: { id: 'gid://gitlab/Project/7' } })],
    ['no place that may be seen', runnerWith({ projectCount: null, ownerProject: null })],
    ['a runner that may not be read', runnerWith(null)],
  ])('is held against GitLab’s source: %s', async (_, body) => {
    expect(await asked(200, body)).toEqual({
      line: 3,
      call: 'POST /api/graphql',
      status: 200,
      version: '18.7.1-ee',
      against: 'by its source, app/graphql/types/ci/runner_type.rb (not in the data)',
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
      'errors, where it is known to have every field that is asked',
    ],
  ])('that differs is told: %j', async (body, difference) => {
    expect(await asked(200, body)).toMatchObject({ outcome: 'read', differences: [difference] });
  });

  test('that cannot be read is told with both who read it', async () => {
    expect(await asked(200, runnerWith({ projectCount: 'three' }))).toMatchObject({
      outcome: 'unread',
      detail: expect.stringContaining('the assignments: data.runner.projectCount is '),
      differences: [expect.stringMatching(/^projectCount is .* instead of a number or null$/)],
    });
  });

  test('that refuses a token is known, and other words are told', async () => {
    const refusal = (message: string) => asked(401, { errors: [{ message }] });
    expect(await refusal('Invalid token')).toMatchObject({ outcome: 'refused', differences: [] });
    const told = ['it is not known to refuse so'];
    expect(await refusal('Go away')).toMatchObject({ differences: told });
  });
});

describe('a file', () => {
  test('that ends within a line, or has others\u2019 lines, is read as far as it goes', async () => {
    const lines = await record(async () => json(200, runner), [{ url: 'runners/1' }, { url: 'x' }]);
    const text = `\ufeff${['hello', '{"kind":"call"}', '[1]', ...lines].join('\r\n').slice(0, -20)}`;
    const { answers, runs, damage } = replay(text);
    expect([runs, answers.length]).toEqual([1, 1]);
    expect(damage).toEqual([
      'line 1 is no line of a recording',
      'line 2 is no line of a recording',
      'line 3 is no line of a recording',
      'line 6 is cut: the run was killed, or the file was',
    ]);
  });

  test('of another schema, with calls of a kind that is not known, says so', () => {
    const text = [
      '{"run":"a","n":1,"kind":"recording","schema":2,"program":"9.0.0"}',
      '{"run":"a","n":2,"kind":"call","system":"gitea","method":"GET","route":"/x","status":200}',
      '{"run":"a","n":3,"kind":"call","system":"gitlab","method":"GET","route":"/x","same_as":9}',
    ].join('\n');
    expect(replay(text)).toMatchObject({
      runs: 1,
      answers: [],
      damage: [
        'line 1 begins a run of schema 2, which is not this program\u2019s 1',
        'line 2 is no call that this program knows',
        'line 3 is no call that this program knows',
      ],
    });
  });
});
