import { describe, expect, test } from '@jest/globals';
import { failureOf } from '../../support/failure-of.ts';
import { type Answer, json } from '../../transport/fake-server.ts';
import { html, page, runner, runnerMissing } from '../scripted-gitlab.ts';
import { id, list, one, openRegistry, shard } from './scripted-registry.ts';

describe('an absent runner', () => {
  test.each([
    [403, 'denied'],
    [401, 'unauthenticated'],
    [404, 'refused'],
  ])('needs more proof than the status %d of the scope', async (status, kind) => {
    const { registry } = openRegistry({
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

describe('a runner list', () => {
  const other = { id: 1, description: 'other' };
  const lists: [string, Answer, string][] = [
    [
      'does not report a next page',
      json(200, [other]),
      'page 1 does not report whether another page follows',
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
    ['lists a runner twice', page([other, other]), 'an item was listed twice'],
    ['jumps', page(Array(100).fill(other), { 'x-next-page': '7' }), 'page 1 is followed by 7'],
  ];
  test.each(lists)('counts as incomplete if it %s', async (_, answer, gap) => {
    const { registry, sent } = openRegistry({ [list]: answer });
    const error = await failureOf(registry.findByShard(shard));
    expect(error.message).toBe(`GitLab GET /groups/10/runners: the list is incomplete: ${gap}`);
    expect(error.kind).toBe('unexpected');
    expect(sent).toHaveLength(3);
  });

  test('causes a second read if it shifted during the first one', async () => {
    const { registry } = openRegistry({
      [list]: [
        page([other], { 'x-total': '2' }),
        page([other, { id: 48213, description: 'pink-linux' }]),
      ],
      [one]: json(200, runner),
    });
    await expect(registry.findByShard(shard)).resolves.toHaveLength(1);
  });
});

describe('the search by shard', () => {
  const listed = { [list]: page([{ id: 48213, description: 'pink-linux' }]) };

  test.each(['pink-linux-large', 'pink-linux ', 'Pink-linux', 'my pink-linux', ''])(
    'leaves out a runner with the description "%s"',
    async (description) => {
      const { registry } = openRegistry({
        [list]: page([{ id: 48213, description }]),
        [one]: json(200, { ...runner, description }),
      });
      await expect(registry.findByShard(shard)).resolves.toEqual([]);
    },
  );

  test('leaves out a runner that is removed during the search', async () => {
    const { registry } = openRegistry({ ...listed, [one]: runnerMissing });
    await expect(registry.findByShard(shard)).resolves.toEqual([]);
  });
});

describe('a removed runner', () => {
  test.each(['404 Not found', '404 Runner Not Found'])(
    'counts as gone with GitLab’s own response: %s',
    async (message) => {
      const script = { [one]: json(404, { message }), [list]: page([]) };
      await expect(openRegistry(script).registry.find(id)).resolves.toEqual({ kind: 'absent' });
    },
  );

  test.each([
    ['an unknown route', json(404, { error: '404 Not Found' })],
    ['a hidden project', json(404, { message: '404 Project Not Found' })],
    ['a proxy', html(404)],
  ])('does not count as gone with the 404 of %s', async (_, answer) => {
    const { registry } = openRegistry({ [one]: answer, [list]: page([]) });
    await expect(registry.find(id)).rejects.toMatchObject({ status: 404 });
  });
});

describe("a runner's contact", () => {
  const contactedAt = '2026-11-02T07:50:00.000Z';
  test.each([
    ['never_contacted', null, false],
    // Runners older than a week are `stale`, which hides that no manager ever made contact.
    ['stale', null, false],
    ['stale', contactedAt, true],
    ['offline', contactedAt, true],
    ['online', contactedAt, true],
    ['paused', contactedAt, true],
    ['paused', null, false],
    ['resting', contactedAt, true],
    [undefined, contactedAt, true],
  ])(
    'depends on the contact time, not on the status: %s, %s: %s',
    async (status, moment, contacted) => {
      const paused = status === 'paused';
      const answer = json(200, { ...runner, status, paused, contacted_at: moment });
      const { registry } = openRegistry({ [one]: answer });
      await expect(registry.find(id)).resolves.toMatchObject({ value: { contacted } });
    },
  );
});

describe('the job execution status in REST', () => {
  test.each([
    ['active', 'active'],
    ['idle', 'idle'],
    // Values of a version before 18.9, and of a later one with an unknown text.
    [undefined, 'unknown'],
    [null, 'unknown'],
    ['busy', 'unknown'],
  ])('maps %s to %s', async (word, execution) => {
    const answer = json(200, { ...runner, job_execution_status: word });
    const { registry } = openRegistry({ [one]: answer });
    await expect(registry.find(id)).resolves.toMatchObject({ value: { execution } });
  });
});
