import { expect, test } from '@jest/globals';
import type { GitLabClient } from '../../../src/adapters/gitlab/client.ts';
import { listRunnerJobs } from '../../../src/adapters/gitlab/jobs/runner-jobs.ts';
import { createRedactor } from '../../../src/adapters/transport/words/redaction.ts';
import { id } from '../runners/scripted-registry.ts';

const life = ['pending', 'running', 'canceling'] as const;
const moments = [0, 1, 2];
/** Where a job may be at each of three questions: it never goes back. */
const lives = moments.flatMap((one) =>
  moments.flatMap((two) =>
    moments.flatMap((three) =>
      one <= two && two <= three ? [[life[one], life[two], life[three]] as const] : [],
    ),
  ),
);

/** A GitLab with one job, which is somewhere else whenever it is asked. */
function gitlabWhere(places: readonly (string | undefined)[], facts: object = {}): GitLabClient {
  let asked = 0;
  const get = (_: string, { searchParams }: { searchParams: { status: string } }) => {
    const now = places[asked];
    asked += 1;
    const body =
      now === searchParams.status ? [{ id: 7, status: now, name: 'build', ...facts }] : [];
    return Promise.resolve({ body, headers: { 'x-next-page': '' } });
  };
  return { raw: { get }, redactor: createRedactor() } as unknown as GitLabClient;
}

test.each(lives)('a job that is %s, then %s, then %s is listed', async (...places) => {
  expect(await listRunnerJobs(gitlabWhere(places), id)).toMatchObject([{ id: '7' }]);
});

test.each([
  ['1.001 s', 1.001, 1001],
  ['a part of a millisecond', 2.0004, 2000],
])('a job queued for %s is told in whole milliseconds', async (_, seconds, queuedMs) => {
  const client = gitlabWhere(['pending', undefined, undefined], { queued_duration: seconds });
  expect(await listRunnerJobs(client, id)).toMatchObject([{ queuedMs }]);
});
