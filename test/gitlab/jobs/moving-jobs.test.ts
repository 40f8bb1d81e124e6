import { describe, expect, test } from '@jest/globals';
import type { GitLabClient } from '../../../src/adapters/gitlab/gitlab-client.ts';
import { createRunnerJobs } from '../../../src/adapters/gitlab/jobs/runner-jobs.ts';
import { createRedactor } from '../../../src/adapters/transport/words/redaction.ts';
import { id } from '../runners/scripted-registry.ts';

const life = ['pending', 'running', 'canceling'] as const;
const moments = [0, 1, 2];
/** Places of a job at three queries. A job never returns to an earlier place. */
const lives = moments.flatMap((one) =>
  moments.flatMap((two) =>
    moments.flatMap((three) =>
      one <= two && two <= three ? [[life[one], life[two], life[three]] as const] : [],
    ),
  ),
);

const finished = Array.from({ length: 100 }, (_, at) => ({ id: 1000 - at, status: 'success' }));

/** Creates a GitLab with one job that moves between queries, and many finished jobs. */
function gitlabWhere(
  places: readonly (string | undefined)[],
  { facts = {}, page = finished, next = '2', total = '' } = {},
) {
  const queried: string[] = [];
  const get = (_: string, { searchParams }: { searchParams: { status?: string } }) => {
    const { status } = searchParams;
    queried.push(status ?? 'any');
    if (status === undefined)
      return Promise.resolve({ body: page, headers: { 'x-next-page': next, 'x-total': total } });
    const now = places[queried.filter((one) => one !== 'any').length - 1];
    const body = now === status ? [{ id: 7, status: now, name: 'build', ...facts }] : [];
    return Promise.resolve({ body, headers: { 'x-next-page': '' } });
  };
  const client = { raw: { get }, redactor: createRedactor() } as unknown as GitLabClient;
  return { jobs: createRunnerJobs(client), queried };
}

describe('a runner with more jobs than a page has', () => {
  test.each(lives)('a job that is %s, then %s, then %s is listed', async (...places) => {
    expect(await gitlabWhere(places).jobs.listJobs(id)).toMatchObject([{ id: '7' }]);
  });

  test('causes only one request for that page', async () => {
    const { jobs, queried } = gitlabWhere([]);
    for (const _ of [1, 2]) await jobs.listJobs(id);
    expect(queried).toEqual(['any', ...life, ...life]);
  });
});

describe('a page of all jobs', () => {
  const alive = [
    { id: 9, name: 'test', status: 'canceling' },
    { id: 8, name: 'build', status: 'running' },
    { id: 7, name: 'lint', status: 'pending' },
  ];
  const rest = ['success', 'failed', 'canceled', 'skipped', 'created', 'manual', 'scheduled'];
  const others = ['preparing', 'waiting_for_resource', 'waiting_for_callback'];
  const page = [...alive, ...[...rest, ...others].map((status, at) => ({ id: at + 20, status }))];

  test('shows the unfinished jobs, and counts no other status as unfinished', async () => {
    const { jobs, queried } = gitlabWhere([], { page, next: '' });
    expect(await jobs.listJobs(id)).toMatchObject([
      { id: '9', status: 'canceling' },
      { id: '8', status: 'running' },
      { id: '7', status: 'assigned' },
    ]);
    expect(queried).toEqual(['any']);
  });

  test('shows the finished jobs, and counts no other status as finished', async () => {
    const { jobs, queried } = gitlabWhere([], { page, next: '' });
    expect(await jobs.listFinishedJobs(id)).toMatchObject([
      { id: '21', status: 'failed' },
      { id: '20', status: 'success' },
    ]);
    expect(queried).toEqual(['any']);
  });

  test.each([
    ['has a job with an unknown status', { page: [{ id: 7, status: 'thawing' }], next: '' }],
    ['has a job without a status', { page: [{ id: 7 } as never], next: '' }],
    ['is followed by another', { page, next: '2' }],
    ['does not report whether another page follows', { page, next: undefined as never }],
    ['has fewer jobs than GitLab counts', { page, next: '', total: '14' }],
  ])('counts as incomplete if it %s', async (_, gitlab) => {
    const { jobs, queried } = gitlabWhere(['running', 'running', 'running'], gitlab);
    expect(await jobs.listJobs(id)).toMatchObject([{ id: '7', status: 'running' }]);
    expect(queried).toEqual(['any', ...life]);
  });
});

test.each([
  ['1.001 s', 1.001, 1001],
  ['a fraction of a millisecond', 2.0004, 2000],
])(
  'the queue time of a job, %s, is reported in whole milliseconds',
  async (_, seconds, queuedMs) => {
    const facts = { queued_duration: seconds };
    const { jobs } = gitlabWhere(['pending', undefined, undefined], { facts });
    expect(await jobs.listJobs(id)).toMatchObject([{ queuedMs }]);
  },
);
