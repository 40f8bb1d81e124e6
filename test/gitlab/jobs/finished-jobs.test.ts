import { describe, expect, test } from '@jest/globals';
import { id, openRegistry } from '../runners/scripted-registry.ts';
import { page } from '../scripted-gitlab.ts';

describe('finished jobs', () => {
  const jobs = 'GET /runners/48213/jobs';
  const job = (number: number, status: string, reason?: string) => ({
    id: number,
    name: 'build',
    status,
    ...(reason === undefined ? {} : { failure_reason: reason }),
    web_url: `https://gitlab.example.com/acme/app/-/jobs/${number}`,
  });

  test('are the newest of both endings, newest first, with GitLab’s own reason', async () => {
    const { registry } = openRegistry({
      [jobs]: [
        page([job(9, 'success'), job(7, 'success')]),
        page([job(8, 'failed', 'runner_system_failure')]),
      ],
    });
    await expect(registry.listFinishedJobs(id)).resolves.toMatchObject({
      kind: 'found',
      value: [
        { id: '9', status: 'success' },
        { id: '8', status: 'failed', failureReason: 'runner_system_failure' },
        { id: '7', status: 'success' },
      ],
    });
  });

  test('that failed before the oldest success of a full page are left out', async () => {
    const full = Array.from({ length: 100 }, (_, index) => job(1000 - index, 'success'));
    const failed = [950, 901, 900, 7].map((number) => job(number, 'failed', 'script_failure'));
    const { registry } = openRegistry({ [jobs]: [page(full), page(failed)] });
    const found = await registry.listFinishedJobs(id);
    const told = found.kind === 'found' ? found.value : [];
    expect(told.filter(({ status }) => status === 'failed').map((one) => one.id)).toEqual([
      '950',
      '901',
    ]);
    expect(told).toHaveLength(102);
  });

  test('of another status than was asked for count for nothing', async () => {
    const { registry } = openRegistry({ [jobs]: page([job(9, 'canceled'), job(8, 'success')]) });
    await expect(registry.listFinishedJobs(id)).resolves.toMatchObject({
      value: [{ id: '8', status: 'success' }],
    });
  });

  test('a duration below zero, a difference of two clocks, is none', async () => {
    const odd = { ...job(8, 'success'), queued_duration: -2, duration: -0.5 };
    const { registry } = openRegistry({ [jobs]: page([odd]) });
    const found = await registry.listFinishedJobs(id);
    expect(found).toEqual({
      kind: 'found',
      value: [{ id: '8', name: 'build', status: 'success', url: odd.web_url }],
    });
  });
});
