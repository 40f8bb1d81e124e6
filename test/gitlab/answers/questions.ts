import { canaries, pipelines } from './job-questions.ts';
import type { Question } from './question.ts';
import { assignments, departures, lists, reads, writes } from './registry-questions.ts';

export const questions: readonly Question[] = [
  ...lists,
  ...reads,
  ...writes,
  ...assignments,
  ...departures,
  ...canaries,
  ...pipelines,
];

/** Endpoints that the program never queries, with reasons. */
export const notQueried: Readonly<Record<string, string>> = {
  'GET /projects/:id/jobs/:job_id/trace': 'a log is prose, and no decision reads prose',
  'GET /groups/:id': 'the list of its runners tells as much',
  'POST /runners/verify': 'gitlab-runner asks it, on its host',
  'POST /jobs/request': 'gitlab-runner asks it',
  'PUT /jobs/:id': 'gitlab-runner asks it',
  'PATCH /jobs/:id/trace': 'gitlab-runner asks it',
  'POST /runners/reset_authentication_token':
    'it takes the token that is to be replaced; ours may be lost',
  'DELETE /runners/managers': 'gitlab-runner asks it when it unregisters',
  'DELETE /runners': 'it takes the token of a runner; ours is removed by its id',
};

/** Queries outside the data, with the tests that cover them. */
export const beyondTheData: Readonly<Record<string, string>> = {
  'POST /api/graphql': 'a runner, where REST says less of it: test/gitlab/jobs/job-sight.test.ts',
};
