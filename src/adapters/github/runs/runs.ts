import { z } from 'zod';
import { PortFailure } from '../../../ports/failure.ts';
import { readShape } from '../../transport/answers/shape.ts';
import { printableName } from '../../transport/words/name.ts';
import type { GitHubAnswer, GitHubClient } from '../client.ts';
import { originOf } from '../origin.ts';

export interface RunReference {
  /** `owner/name` */
  readonly repository: string;
  readonly runId: string;
}

export const run = z.object({
  status: printableName,
  conclusion: printableName.nullish(),
  created_at: z.string().nullish(),
});
export const runJob = z.object({
  name: printableName,
  status: printableName,
  /** Of a job that has ended. */
  conclusion: printableName.nullish(),
  run_attempt: z.number().int().nullish(),
  runner_name: printableName.nullish(),
});
export const runJobs = z.object({
  total_count: z.number().int().nonnegative(),
  jobs: z.array(runJob),
});

/** https://docs.github.com/rest/actions/workflow-runs */
export type WorkflowRun = z.output<typeof run>;
/** https://docs.github.com/rest/actions/workflow-jobs */
export type RunJob = z.output<typeof runJob>;

const perPage = 100;
const mostPages = 10;
const runRoute = 'GET /repos/{owner}/{repo}/actions/runs/{run_id}';

/** Rejects with a PortFailure, also for what is not there: 404 is GitHub's answer to who may not look. */
export async function readRun(client: GitHubClient, reference: RunReference): Promise<WorkflowRun> {
  const answer = await client.request(runRoute, placeOf(reference));
  return readShape(run, answer.data, originOf(client, answer));
}

/** Jobs of every attempt; complete, or it rejects. */
export async function listRunJobs(
  client: GitHubClient,
  reference: RunReference,
): Promise<readonly RunJob[]> {
  const found: RunJob[] = [];
  for (let page = 1; ; page += 1) {
    const answer = await client.request(`${runRoute}/jobs`, {
      ...placeOf(reference),
      filter: 'all',
      per_page: perPage,
      page,
    });
    const { total_count: total, jobs } = readShape(runJobs, answer.data, originOf(client, answer));
    found.push(...jobs);
    if (found.length >= total) return found;
    if (jobs.length === 0 || page === mostPages)
      throw cut(answer, `only ${found.length} of ${total} jobs were listed`);
  }
}

function placeOf({ repository, runId }: RunReference) {
  const [owner = '', repo = ''] = repository.split('/');
  return { owner, repo, run_id: runId };
}

function cut({ source }: GitHubAnswer, detail: string): PortFailure {
  return new PortFailure({ kind: 'unexpected', effect: 'none', source, detail });
}
