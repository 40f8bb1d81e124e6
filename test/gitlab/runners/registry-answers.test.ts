import { describe, expect, test } from '@jest/globals';
import type { PortFailure } from '../../../src/ports/failure.ts';
import type { RunnerRegistry } from '../../../src/ports/registry.ts';
import { failureOf } from '../../support/failure-of.ts';
import { type Answer, json, networkError } from '../../transport/fake-server.ts';
import { html, page, runner } from '../scripted-gitlab.ts';
import { id, list, one, openRegistry, shard } from './scripted-registry.ts';

describe('an undocumented response', () => {
  const answers: [string, Answer, Partial<PortFailure>][] = [
    [
      '422',
      json(422, { message: { tag_list: ['is bad', 'is long'] } }),
      { kind: 'refused', detail: 'tag_list is bad, is long' },
    ],
    [
      'a 429 of the load balancer',
      new Response('Retry later\n', { status: 429, headers: { 'retry-after': '900' } }),
      {
        kind: 'throttled',
        detail: 'answered 429: Retry later (it requests a wait of 901s, 1 attempts)',
      },
    ],
    [
      'a login page',
      html(200),
      { kind: 'unexpected', detail: 'answered 200 with text/html, which is not JSON' },
    ],
    [
      'an unknown page of a proxy',
      html(404),
      { kind: 'unexpected', status: 404, detail: 'Sign in · GitLab' },
    ],
    [
      'a truncated response',
      new Response('{"id": 48213, "descr', { headers: { 'content-type': 'application/json' } }),
      { kind: 'unexpected' },
    ],
    ['nothing', new Response(null, { status: 200 }), { kind: 'unexpected' }],
    ['a missing field', json(200, { ...runner, paused: undefined }), { kind: 'unexpected' }],
    ['tags in one string', json(200, { ...runner, tag_list: 'linux' }), { kind: 'unexpected' }],
    ['a reset connection', networkError('ECONNRESET', 'read ECONNRESET'), { kind: 'unreachable' }],
  ];
  test.each(answers)('causes a failure of find: %s', async (_, answer, expected) => {
    const { registry } = openRegistry({ [one]: answer, [list]: page([]) });
    const error = await failureOf(registry.find(id));
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
  test.each(readers)('causes a failure of %s', async (_, call) => {
    for (const [, answer, expected] of answers) {
      const script = {
        [list]: answer,
        'GET /runners/48213/managers': answer,
        'GET /runners/48213/jobs': answer,
      };
      const error = await failureOf(call(openRegistry(script).registry));
      expect(error).toMatchObject({ kind: expected.kind, effect: 'none' });
    }
  });

  test('causes an error with the field and the value', async () => {
    const { registry } = openRegistry({ [one]: json(200, { ...runner, paused: 'yes' }) });
    expect((await failureOf(registry.find(id))).detail).toBe(
      'paused is "yes", which this version does not support: Invalid input: expected boolean, received string',
    );
  });

  test('causes an error without the token', async () => {
    const words = { message: `bad PRIVATE-TOKEN: glpat-abcdefghij0123456789 for you` };
    const { registry } = openRegistry({ [one]: json(400, words) });
    const error = await failureOf(registry.find(id));
    expect(error.detail).toBe('bad PRIVATE-TOKEN: [MASKED] for you');
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain('abcdefghij');
  });
});
