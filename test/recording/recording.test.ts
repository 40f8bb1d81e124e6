import { describe, expect, test } from '@jest/globals';
import { type FetchFunction, json, networkError } from '../transport/fake-server.ts';
import { callsIn, type RecordedRequest, record } from './recorded.ts';

const runner = {
  id: 48213,
  description: 'acme-hush-project',
  paused: true,
  status: 'paused',
  runner_type: 'group_type',
  tag_list: ['acme-linux', 'acme-hush-project'],
  run_untagged: false,
  contacted_at: '2026-01-25T16:39:48.066Z',
  maintenance_note: null,
  ip_address: '10.1.2.3',
  token: 'glrt-hushhushhush',
  created_by: { username: 'jane.doe' },
  'Jane Doe': 'jane',
  groups: [{ id: 11, web_url: 'https://gitlab.hush.example/groups/acme', name: 'acme' }],
};

async function one(
  answer: Response | Error,
  request: RecordedRequest,
): Promise<Record<string, unknown>> {
  const fetch: FetchFunction = async () => {
    if (answer instanceof Error) throw answer;
    return answer.clone();
  };
  const [call = {}] = callsIn(await record(fetch, [request]));
  return call;
}

describe('a recorded call', () => {
  test('contains the values of fields that the program reads, if they are API terms', async () => {
    const call = await one(json(200, runner), { url: 'runners/48213?include_projects=false' });
    expect(call).toEqual({
      system: 'gitlab',
      method: 'GET',
      route: '/runners/:id',
      query: { include_projects: 'false' },
      status: 200,
      headers: { 'content-type': 'application/json' },
      answer: {
        id: 48213,
        description: '<text c71860>',
        paused: true,
        status: '<string>',
        runner_type: 'group_type',
        tag_list: ['<text ea59ad>', '<text c71860>'],
        run_untagged: false,
        contacted_at: '2026-01-25T16:39:48.066Z',
        maintenance_note: null,
        ip_address: '<string>',
        token: '<string>',
        created_by: '<object>',
        '<key 12>': '<string>',
        groups: [{ id: 11, web_url: '<text 83a019>', name: '<string>' }],
      },
    });
  });

  test('stays valid JSON if the redactor masks everything behind a secret', async () => {
    const redact = (text: string) => text.replace(/\bpaused.*/, '[MASKED]');
    const requests = [{ url: 'runners/48213' }];
    const [call] = callsIn(await record(async () => json(200, runner), requests, redact));
    expect(call).toMatchObject({ status: 200, answer: { status: '<string>', '[MASKED]': true } });
  });

  test('never contains a token, a host or a name at any place', async () => {
    const secret = 'hushhush';
    const answers: Response[] = [
      json(200, runner),
      json(201, { id: 1, token: 'glrt-hushhushhush' }),
      json(200, [{ ...runner, name: { nested: [secret] } }]),
      json(400, { message: { 'acme-hush-project': [`${secret} is taken by jane.doe`] } }),
      json(403, { message: '403 Forbidden - IP 10.1.2.3 of jane.doe@hush.example is refused' }),
      new Response(`Retry later ${secret}`, {
        status: 429,
        headers: { 'content-type': 'text/plain' },
      }),
      new Response(`<html>${secret} acme</html>`, { status: 502 }),
      new Response(`{"id": 1, "token": "${secret}`),
      json(200, 'hushhush acme'),
      json(200, { [`glrt-${secret}`]: 'acme', version: 'hunter2hunter2' }),
    ];
    const paths = [
      'runners/48213',
      'user/runners',
      'groups/acme%2Fhush-project/runners?search=acme&tag_list=acme',
      'projects/acme%2Fhush-project/pipelines?ref=acme',
      'projects/acme%2Fhush-project/repository/files/acme',
      'acme/hush-project',
      'metadata',
    ];
    for (const answer of answers) {
      const requests = paths.flatMap((url) => [{ url }, { url, method: 'POST', body: secret }]);
      const text = (await record(async () => answer.clone(), requests)).join('\n');
      expect(text).not.toMatch(/hush|acme|jane|10\.1|2\.3|hunter2/i);
    }
  });

  test("keeps only GitLab's known terms of a refusal", async () => {
    const refusal = '403 Forbidden - IP 10.1.2.3 is no IP of jane';
    const call = await one(json(403, { message: refusal }), { url: 'runners/48213' });
    expect(call).toMatchObject({
      status: 403,
      answer: { message: '403 Forbidden - … ….….….… is … … … …' },
    });
    const known = { error: '404 Not Found' };
    expect(await one(json(404, known), { url: 'x' })).toMatchObject({
      route: '/:id',
      answer: known,
    });
  });

  test('shows only the size of a response that is not JSON', async () => {
    const page = new Response('<html>Sign in to acme</html>', { status: 200 });
    expect(await one(page, { url: 'runners/48213' })).toMatchObject({
      status: 200,
      not_json: '28 characters',
    });
  });

  test("contains the system's error code if there was no response", async () => {
    const error = networkError('ECONNRESET', 'read ECONNRESET gitlab.hush.example');
    expect(await one(error, { url: 'runners/48213' })).toMatchObject({ failed: 'ECONNRESET' });
  });

  test('names the version once GitLab has returned it', async () => {
    const fetch: FetchFunction = async ({ url }) =>
      url.endsWith('/metadata') ? json(200, { version: '18.5.1-ee' }) : json(200, runner);
    const requests = ['runners/48213', 'metadata', 'runners/48214'].map((url) => ({ url }));
    const versions = callsIn(await record(fetch, requests)).map(({ version }) => version);
    expect(versions).toEqual([undefined, '18.5.1-ee', '18.5.1-ee']);
  });

  test('refers to an earlier call with the same response', async () => {
    const requests = [{ url: 'runners/48213' }, { url: 'runners/48214' }, { url: 'runners/48213' }];
    const [first, second, third] = callsIn(await record(async () => json(200, runner), requests));
    expect(first).toHaveProperty('answer');
    expect(second).toHaveProperty('answer');
    expect(third).toEqual({
      system: 'gitlab',
      method: 'GET',
      route: '/runners/:id',
      query: {},
      same_as: 2,
    });
  });

  test('contains the route of a GitHub call, too', async () => {
    const page = {
      total_count: 1,
      runners: [{ id: 1, name: 'acme', status: 'online', busy: false, labels: [] }],
    };
    const url =
      'https://api.github.com/repos/acme/hush-project/actions/runners?per_page=100&page=1';
    expect(await one(json(200, page), { url })).toMatchObject({
      system: 'github',
      route: '/repos/:owner/:repo/actions/runners',
      query: { per_page: '100', page: '1' },
      answer: {
        total_count: 1,
        runners: [{ id: 1, name: '<text cd7a99>', status: 'online', busy: false, labels: [] }],
      },
    });
  });
});

test('a recording does not change the call', async () => {
  let received: unknown;
  const lines = await record(
    async (request) => {
      received = [request.method, request.url, await request.text()];
      return json(200, runner);
    },
    [{ method: 'PUT', url: 'runners/48213', body: '{"paused":true}' }],
  );
  expect(received).toEqual([
    'PUT',
    'https://gitlab.hush.example/api/v4/runners/48213',
    '{"paused":true}',
  ]);
  expect(lines.map((line) => JSON.parse(line).kind)).toEqual(['recording', 'call']);
});
