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

  const more = page([job(11, 'running')], { 'x-next-page': '2' });
  const few = [
    page([job(9, 'success'), job(8, 'failed', 'runner_system_failure'), job(7, 'success')]),
  ];
  const many = [
    more,
    page([job(9, 'success'), job(7, 'success')]),
    page([job(8, 'failed', 'runner_system_failure')]),
  ];

  test.each([
    ['few', few],
    ['many', many],
  ])('include both results, from %s, newest first, with GitLab’s own reason', async (_, pages) => {
    const { registry } = openRegistry({ [jobs]: pages });
    await expect(registry.listFinishedJobs(id)).resolves.toMatchObject({
      kind: 'found',
      value: [
        { id: '9', status: 'success' },
        { id: '8', status: 'failed', failureReason: 'runner_system_failure' },
        { id: '7', status: 'success' },
      ],
    });
  });

  test('exclude failures before the oldest success of a full page', async () => {
    const full = Array.from({ length: 100 }, (_, index) => job(1000 - index, 'success'));
    const failed = [950, 901, 900, 7].map((number) => job(number, 'failed', 'script_failure'));
    const { registry } = openRegistry({ [jobs]: [more, page(full), page(failed)] });
    const found = await registry.listFinishedJobs(id);
    const finished = found.kind === 'found' ? found.value : [];
    expect(finished.filter(({ status }) => status === 'failed').map((one) => one.id)).toEqual([
      '950',
      '901',
    ]);
    expect(finished).toHaveLength(102);
  });

  test('exclude jobs of a status that was not requested', async () => {
    const { registry } = openRegistry({
      [jobs]: [more, page([job(9, 'canceled'), job(8, 'success')]), page([])],
    });
    await expect(registry.listFinishedJobs(id)).resolves.toMatchObject({
      value: [{ id: '8', status: 'success' }],
    });
  });

  test('show their project by path and by id', async () => {
    const appJob = { ...job(8, 'success'), project: { id: 77, path_with_namespace: 'acme/app' } };
    const { registry } = openRegistry({ [jobs]: page([appJob]) });
    await expect(registry.listFinishedJobs(id)).resolves.toMatchObject({
      value: [{ id: '8', project: 'acme/app', projectId: '77' }],
    });
  });

  test('omit a negative duration, which is a difference of two clocks', async () => {
    const odd = { ...job(8, 'success'), queued_duration: -2, duration: -0.5 };
    const { registry } = openRegistry({ [jobs]: page([odd]) });
    const found = await registry.listFinishedJobs(id);
    expect(found).toEqual({
      kind: 'found',
      value: [{ id: '8', name: 'build', status: 'success', url: odd.web_url }],
    });
  });
});

describe('the history of a runner', () => {
  const jobs = 'GET /runners/48213/jobs';
  const full = (newest: number, status: string, count = 100) =>
    Array.from({ length: count }, (_, index) => ({
      id: newest - index,
      name: 'build',
      status,
      web_url: '',
    }));
  const counted = (items: readonly unknown[], total: number, next = '') =>
    page(items, { 'x-total': String(total), 'x-next-page': next });

  test('begins with the first job, and later reads return only new jobs', async () => {
    const { registry, sent } = openRegistry({
      [jobs]: [
        counted(full(500, 'success'), 150, '2'),
        counted(full(400, 'success', 50), 150),
        counted(full(450, 'failed', 1), 1),
        counted(full(502, 'success'), 152, '2'),
        counted(full(450, 'failed', 1), 1),
      ],
    });
    const first = await registry.readJobHistory(id);
    expect(first).toMatchObject({ value: { older: { failed: [], others: 0 } } });
    expect(first.kind === 'found' && first.value.jobs).toHaveLength(151);
    const second = await registry.readJobHistory(id);
    expect(second.kind === 'found' && second.value.jobs).toHaveLength(153);
    expect(sent.filter((call) => call === jobs)).toHaveLength(5);
  });

  test('includes a job that ended late behind the jobs already read', async () => {
    const { registry } = openRegistry({
      [jobs]: [
        counted(full(500, 'success'), 150, '2'),
        counted(full(400, 'success', 50), 150),
        counted([], 0),
        counted(full(500, 'success'), 151, '2'),
        counted([...full(400, 'success', 50), ...full(300, 'success', 1)], 151),
        counted([], 0),
      ],
    });
    await registry.readJobHistory(id);
    const found = await registry.readJobHistory(id);
    expect(found.kind === 'found' && found.value.jobs.at(-1)?.id).toBe('300');
  });

  test('ends after a thousand jobs of a result, lists older failures apart, and counts the rest', async () => {
    const pages = Array.from({ length: 10 }, (_, index) =>
      counted(full(5000 - index * 100, 'success'), 1234, String(index + 2)),
    );
    const { registry } = openRegistry({
      [jobs]: [...pages, counted([...full(4500, 'failed', 1), ...full(7, 'failed', 1)], 2)],
    });
    const found = await registry.readJobHistory(id);
    expect(found).toMatchObject({ value: { older: { failed: [{ id: '7' }], others: 234 } } });
    expect(found.kind === 'found' && found.value.jobs).toHaveLength(1001);
  });

  test('lacks a count if GitLab returns none', async () => {
    const pages = Array.from({ length: 10 }, (_, index) =>
      page(full(5000 - index * 100, 'success'), {
        'x-total': '',
        'x-next-page': String(index + 2),
      }),
    );
    const { registry } = openRegistry({ [jobs]: [...pages, counted([], 0)] });
    await expect(registry.readJobHistory(id)).resolves.toMatchObject({
      value: { older: { failed: [], others: 'unknown' } },
    });
  });
});
