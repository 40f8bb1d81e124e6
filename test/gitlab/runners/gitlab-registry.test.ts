import { describe, expect, test } from '@jest/globals';
import { failureOf } from '../../support/failure-of.ts';
import { type Answer, json } from '../../transport/fake-server.ts';
import { html, page, runner, runnerMissing } from '../scripted-gitlab.ts';
import { id, list, one, openRegistry, shard } from './scripted-registry.ts';

describe('absent', () => {
  test.each([
    [403, 'denied'],
    [401, 'unauthenticated'],
    [404, 'refused'],
  ])('is not believed where the scope answers %d', async (status, kind) => {
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
    const { registry, sent } = openRegistry({ [list]: answer });
    const error = await failureOf(registry.findByShard(shard));
    expect(error.message).toBe(`GitLab GET /groups/10/runners: the list is not complete: ${gap}`);
    expect(error.kind).toBe('unexpected');
    expect(sent).toHaveLength(3);
  });

  test('that shifted while it was read is read again', async () => {
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

describe('findByShard', () => {
  const listed = { [list]: page([{ id: 48213, description: 'pink-linux' }]) };

  test.each(['pink-linux-large', 'pink-linux ', 'Pink-linux', 'my pink-linux', ''])(
    'leaves out a runner that is called "%s"',
    async (description) => {
      const { registry } = openRegistry({
        [list]: page([{ id: 48213, description }]),
        [one]: json(200, { ...runner, description }),
      });
      await expect(registry.findByShard(shard)).resolves.toEqual([]);
    },
  );

  test('leaves out one that is removed while it looks', async () => {
    const { registry } = openRegistry({ ...listed, [one]: runnerMissing });
    await expect(registry.findByShard(shard)).resolves.toEqual([]);
  });
});

describe('a runner is gone', () => {
  test.each(['404 Not found', '404 Runner Not Found'])(
    "by GitLab's own words: %s",
    async (message) => {
      const script = { [one]: json(404, { message }), [list]: page([]) };
      await expect(openRegistry(script).registry.find(id)).resolves.toEqual({ kind: 'absent' });
    },
  );

  test.each([
    ['a route that it does not have', json(404, { error: '404 Not Found' })],
    ['a project that is not shown', json(404, { message: '404 Project Not Found' })],
    ['a proxy', html(404)],
  ])('not by the 404 of %s', async (_, answer) => {
    const { registry } = openRegistry({ [one]: answer, [list]: page([]) });
    await expect(registry.find(id)).rejects.toMatchObject({ status: 404 });
  });
});

describe('contacted is whether there is a contact, whatever the status says', () => {
  const contactedAt = '2026-11-02T07:50:00.000Z';
  test.each([
    ['never_contacted', null, false],
    // Made more than a week ago: it hides that nobody ever contacted.
    ['stale', null, false],
    ['stale', contactedAt, true],
    ['offline', contactedAt, true],
    ['online', contactedAt, true],
    ['paused', contactedAt, true],
    ['paused', null, false],
    ['resting', contactedAt, true],
    [undefined, contactedAt, true],
  ])('%s, %s: %s', async (status, moment, contacted) => {
    const paused = status === 'paused';
    const answer = json(200, { ...runner, status, paused, contacted_at: moment });
    const { registry } = openRegistry({ [one]: answer });
    await expect(registry.find(id)).resolves.toMatchObject({ value: { contacted } });
  });
});

describe('whether jobs run is', () => {
  test.each([
    ['active', 'active'],
    ['idle', 'idle'],
    // Before 18.9, and in a word that comes later.
    [undefined, 'unknown'],
    [null, 'unknown'],
    ['busy', 'unknown'],
  ])('%s: %s', async (word, execution) => {
    const answer = json(200, { ...runner, job_execution_status: word });
    const { registry } = openRegistry({ [one]: answer });
    await expect(registry.find(id)).resolves.toMatchObject({ value: { execution } });
  });
});
