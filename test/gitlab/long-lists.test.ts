import { describe, expect, test } from '@jest/globals';
import type { GitLabClient } from '../../src/adapters/gitlab/gitlab-client.ts';
import { listPipelineJobs } from '../../src/adapters/gitlab/jobs/job.ts';
import { listWaitingJobs } from '../../src/adapters/gitlab/jobs/job-queue.ts';
import { createRunnerJobs } from '../../src/adapters/gitlab/jobs/runner-jobs.ts';
import { createGitLabRegistry } from '../../src/adapters/gitlab/runners/gitlab-registry.ts';
import { listProjects } from '../../src/adapters/gitlab/runners/places.ts';
import { createRedactor } from '../../src/adapters/transport/words/redaction.ts';
import { failureOf } from '../support/failure-of.ts';
import { id, shard } from './runners/scripted-registry.ts';
import { runner } from './scripted-gitlab.ts';

/** Opens GitLab with a list of `count` items, at most a hundred per page, counted up to 10,000. */
function open(count: number, item: object) {
  const queried: number[] = [];
  const get = async (endpoint: string, { searchParams = {} } = { searchParams: {} }) => {
    if (/^runners\/\d+$/.test(endpoint)) return { body: runner, headers: {} };
    const { page = 1, per_page: size = 20 } = searchParams as { page?: number; per_page?: number };
    queried.push(page);
    const start = (page - 1) * size;
    const length = Math.max(0, Math.min(size, count - start));
    const body = Array.from({ length }, (_, index) => ({ ...item, id: start + index + 1 }));
    const isLast = start + length >= count;
    const headers = {
      'x-per-page': String(size),
      'x-next-page': isLast ? '' : String(page + 1),
      ...(count > 10_000 ? {} : { 'x-total': String(count) }),
    };
    return { body, headers };
  };
  const client = { raw: { get }, redactor: createRedactor() } as unknown as GitLabClient;
  return { client, queried };
}

const job = {
  name: 'build',
  status: 'pending',
  created_at: '2026-11-02T08:00:00Z',
  tag_list: ['linux'],
};

const lists = [
  {
    list: 'jobs of a runner',
    item: { ...job, status: undefined },
    count: async (client: GitLabClient) => (await createRunnerJobs(client).listJobs(id)).length,
  },
  {
    list: 'jobs of a pipeline',
    item: job,
    count: async (client: GitLabClient) =>
      (await listPipelineJobs(client, { project: 'acme/shop' }, 5)).length,
  },
  {
    list: 'projects of a runner',
    item: {},
    count: async (client: GitLabClient) => (await listProjects(client, id)).length,
  },
  {
    list: 'runners of a group',
    item: { description: 'pink-linux' },
    count: async (client: GitLabClient) => {
      const scope = { kind: 'group', groupId: 10 } as const;
      return (await createGitLabRegistry({ client, scope }).findByShard(shard)).length;
    },
  },
];

describe.each(lists)('the $list', ({ item, count }) => {
  test.each([99, 100, 101, 199, 200, 201])('return every item at %d items', async (length) => {
    expect(await count(open(length, item).client)).toBe(length);
  });

  test('stay unknown, never partial, beyond 200 pages, and are read once', async () => {
    const { client, queried } = open(20_001, item);
    expect(await failureOf(count(client))).toMatchObject({
      kind: 'unexpected',
      detail: 'the list is incomplete: it has more than 200 pages',
    });
    expect(queried.filter((page) => page === 200)).toHaveLength(1);
  });
});

test.each([99, 100, 101, 250])('waiting jobs are all listed at %d', async (count) => {
  const { jobs } = await listWaitingJobs(open(count, job).client, ['acme/shop']);
  expect(jobs).toHaveLength(count);
});

test('waiting jobs count as unread, never as none, beyond 200 pages', async () => {
  const { client } = open(20_001, job);
  expect(await listWaitingJobs(client, ['acme/shop'])).toMatchObject({
    jobs: [],
    unread: [{ project: 'acme/shop' }],
  });
});
