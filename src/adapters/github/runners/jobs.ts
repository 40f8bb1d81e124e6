import { z } from 'zod';
import type { GitHubScope } from '../../../domain/settings.ts';
import { isPortFailure } from '../../../ports/failure.ts';
import type { RegistryJob } from '../../../ports/registry.ts';
import { type Origin, readShape } from '../../transport/answers/shape.ts';
import { printableName } from '../../transport/words/name.ts';
import type { GitHubClient } from '../github-client.ts';
import { listJobsOf, readGitHubPages } from '../runs/runs.ts';
import type { GitHubRunner } from './runners.ts';
import { describeScope } from './scope.ts';

interface JobsQuestion {
  readonly client: GitHubClient;
  readonly scope: GitHubScope;
  readonly runners: readonly GitHubRunner[];
  /** `owner/name` of the canary's repository, to distinguish the canary from customer jobs. */
  readonly canaryRepository?: string;
}

export const activeRun = z.object({ id: z.number().int().positive() });
const count = z.number().int().nonnegative().nullish();
export const activeRuns = z.object({ workflow_runs: z.array(activeRun), total_count: count });
export const activeJob = z.object({
  id: z.number().int().positive(),
  name: printableName.nullish(),
  status: z.string(),
  runner_id: z.number().int().nullish(),
  started_at: z.string().nullish(),
  html_url: z.string().nullish(),
});
export const activeJobs = z.object({ jobs: z.array(activeJob), total_count: count });

/**
 * Lists one job per busy runner, to miss none. GitHub cannot list jobs by runner. In a repository,
 * the jobs come from its running workflows. Otherwise only the canary's repository is read, and all
 * other jobs are named after their runner.
 */
export async function jobsOf(question: JobsQuestion): Promise<readonly RegistryJob[]> {
  const busy = question.runners.filter((runner) => runner.busy);
  if (busy.length === 0) return [];
  const named = await namesOf(question);
  return busy.map((runner) => named.get(runner.id) ?? unnamed(runner, question.scope));
}

async function namesOf(question: JobsQuestion): Promise<ReadonlyMap<number, RegistryJob>> {
  const { scope, canaryRepository } = question;
  if (scope.kind === 'repository') return jobsByRunner(question, [scope.owner, scope.repository]);
  const [owner, repository] = canaryRepository?.split('/') ?? [];
  if (owner === undefined || repository === undefined) return new Map();
  try {
    return await jobsByRunner(question, [owner, repository]);
  } catch (error) {
    // The runner has a job. Without a name, it counts as a customer job.
    if (!isPortFailure(error)) throw error;
    return new Map();
  }
}

/**
 * Limit of runs, each with a request for its jobs. GitHub returns at most as many entries of a
 * filtered list.
 */
const mostRuns = 1000;

/** Names the jobs of busy runners. Stops when each has a name, or after the last run. */
async function jobsByRunner(
  { client, runners }: JobsQuestion,
  [owner, repo]: readonly [owner: string, repository: string],
): Promise<Map<number, RegistryJob>> {
  const found = new Map<number, RegistryJob>();
  const busy = runners.filter((runner) => runner.busy);
  const place = { owner, repo };
  let queriedRuns = 0;
  for await (const { items } of readGitHubPages({
    client,
    route: 'GET /repos/{owner}/{repo}/actions/runs',
    parameters: { ...place, status: 'in_progress' },
    read: readRuns,
  })) {
    for (const { id } of items) {
      const parameters = { ...place, run_id: id };
      for (const one of await listJobsOf({ client, parameters, page: activeJobs })) {
        if (typeof one.runner_id !== 'number' || one.status === 'completed') continue;
        found.set(one.runner_id, toRegistryJob(one, `${owner}/${repo}`));
      }
      queriedRuns += 1;
      if (queriedRuns === mostRuns || busy.every((runner) => found.has(runner.id))) return found;
    }
  }
  return found;
}

const readRuns = (data: unknown, origin: Origin) => {
  const { workflow_runs: items, total_count: total } = readShape(activeRuns, data, origin);
  return { items, total };
};

function toRegistryJob(one: z.output<typeof activeJob>, project: string): RegistryJob {
  return {
    id: String(one.id),
    name: one.name ?? '',
    status: 'running',
    project,
    url: one.html_url ?? '',
    ...(one.started_at ? { startedAt: one.started_at } : {}),
  };
}

function unnamed({ id, name }: GitHubRunner, scope: GitHubScope): RegistryJob {
  return {
    id: `runner-${id}`,
    name: `a job on runner ${name}`,
    status: 'running',
    project: describeScope(scope),
    url: '',
  };
}
