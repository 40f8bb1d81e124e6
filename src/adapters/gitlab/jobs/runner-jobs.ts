import { z } from 'zod';
import type { RegistrationId } from '../../../domain/shard.ts';
import type { BegunJob, FinishedJob, NewestJobs, RegistryJob } from '../../../ports/registry.ts';
import { printableName } from '../../transport/words/name.ts';
import type { GitLabClient } from '../gitlab-client.ts';
import { listAll, listNewest, perPage, readPage } from '../list-reader.ts';
import { numberOf } from '../runners/rest-runner.ts';
import { isOver, isUnassigned } from './stage-jobs.ts';

// A pending job with a runner is assigned but not acknowledged yet.
const statuses = {
  pending: 'assigned',
  running: 'running',
  canceling: 'canceling',
} as const satisfies Record<string, RegistryJob['status']>;

const project = z.object({
  id: z.number().int().positive().nullish(),
  path_with_namespace: printableName.nullish(),
});

export const runnerJob = z.object({
  id: z.number().int().positive(),
  status: z.string().nullish(),
  name: printableName.nullish(),
  started_at: z.string().nullish(),
  queued_duration: z.number().nullish(),
  web_url: z.string().nullish(),
  project: project.nullish(),
});

interface RunnerJobs {
  listJobs(id: RegistrationId): Promise<readonly RegistryJob[]>;
  listFinishedJobs(id: RegistrationId): Promise<readonly FinishedJob[]>;
}

/**
 * Creates the lists of a runner's jobs. One page without a status filter contains all jobs of a
 * runner that has few, and costs GitLab one database query. For a runner with more jobs, that page
 * is not requested again.
 */
export function createRunnerJobs(client: GitLabClient): RunnerJobs {
  const withMore = new Set<RegistrationId>();
  async function findWhole(id: RegistrationId): Promise<NewestJobs | undefined> {
    if (withMore.has(id)) return undefined;
    const newest = await listNewestRunnerJobs(client, id);
    if (newest.isWhole) return newest;
    withMore.add(id);
    return undefined;
  }
  return {
    listJobs: async (id) => (await findWhole(id))?.jobs ?? listMovingJobs(client, id),
    listFinishedJobs: async (id) => (await findWhole(id))?.finished ?? listEndedJobs(client, id),
  };
}

/**
 * Lists the newest jobs. The page counts as whole only if GitLab reports no further page and every
 * status is known: a job with an unknown status may still change.
 */
export async function listNewestRunnerJobs(
  client: GitLabClient,
  id: RegistrationId,
): Promise<NewestJobs> {
  const { items, isAll } = await readPage(client, {
    endpoint: `runners/${numberOf(id)}/jobs`,
    query: { order_by: 'id', sort: 'desc' },
    item: finishedJob,
  });
  const isKnown = ({ status }: z.infer<typeof runnerJob>) =>
    isAlive(status) || isOver(status ?? '') || isUnassigned(status ?? '');
  return {
    jobs: items.flatMap((job) => (isAlive(job.status) ? [toRegistryJob(job, job.status)] : [])),
    finished: items
      .flatMap((job) =>
        job.status === 'success' || job.status === 'failed' ? [toFinishedJob(job, job.status)] : [],
      )
      .sort(byId),
    isWhole: isAll && items.every(isKnown),
  };
}

/**
 * Lists jobs by status, in the order of a job's life. A job that changes during the reads is then
 * listed at least once.
 */
async function listMovingJobs(
  client: GitLabClient,
  id: RegistrationId,
): Promise<readonly RegistryJob[]> {
  const jobs = new Map<number, RegistryJob>();
  for (const status of ['pending', 'running', 'canceling'] as const) {
    const found = await listAll(client, {
      endpoint: `runners/${numberOf(id)}/jobs`,
      query: { status },
      item: runnerJob,
    });
    for (const job of found)
      if (!isOver(job.status ?? '')) jobs.set(job.id, toRegistryJob(job, status));
  }
  return [...jobs.values()];
}

function toRegistryJob(
  job: z.infer<typeof runnerJob>,
  requested: keyof typeof statuses,
): RegistryJob {
  return {
    id: String(job.id),
    name: job.name ?? '',
    // An unknown status does not count as an end. The job keeps the status that the request
    // filtered by.
    status: isAlive(job.status) ? statuses[job.status] : statuses[requested],
    project: job.project?.path_with_namespace ?? 'a project that GitLab does not name',
    url: job.web_url ?? '',
    ...timesOf(job),
  };
}

function isAlive(status: string | null | undefined): status is keyof typeof statuses {
  return typeof status === 'string' && Object.hasOwn(statuses, status);
}

/**
 * Reads the times of a job. GitLab returns seconds with a fraction, or `null`. A negative duration
 * is ignored: it comes from the clocks of two machines.
 */
function timesOf(job: {
  started_at?: string | null | undefined;
  queued_duration?: number | null | undefined;
}) {
  const { started_at: startedAt, queued_duration: queued } = job;
  return {
    ...(startedAt ? { startedAt } : {}),
    ...(isDuration(queued) ? { queuedMs: Math.round(queued * 1000) } : {}),
  };
}

function isDuration(seconds: number | null | undefined): seconds is number {
  return typeof seconds === 'number' && seconds >= 0;
}

export const finishedJob = runnerJob.extend({
  failure_reason: printableName.nullish(),
  duration: z.number().nullish(),
});

/**
 * Lists the newest page of each result: older jobs do not matter for a runner that was just
 * promoted. If one page is full, both results are cut at its oldest job. Otherwise an old failure
 * would be counted against recent successes only.
 */
async function listEndedJobs(
  client: GitLabClient,
  id: RegistrationId,
): Promise<readonly FinishedJob[]> {
  const jobs: FinishedJob[] = [];
  let from = 0;
  for (const status of ['success', 'failed'] as const) {
    const found = await listNewest(client, {
      endpoint: `runners/${numberOf(id)}/jobs`,
      query: { status, order_by: 'id', sort: 'desc' },
      item: finishedJob,
    });
    if (found.length >= perPage) from = Math.max(from, ...found.slice(-1).map((job) => job.id));
    const matching = found.filter((job) => job.status === status);
    jobs.push(...matching.map((job) => toFinishedJob(job, status)));
  }
  return jobs.filter((job) => Number(job.id) >= from).sort(byId);
}

function byId(one: FinishedJob, other: FinishedJob): number {
  return Number(other.id) - Number(one.id);
}

/**
 * Lists one page of the jobs of a manager. A job has its manager once it runs. A GitLab without
 * this filter ignores it without an error.
 */
export async function listBegunRunnerJobs(
  client: GitLabClient,
  id: RegistrationId,
  systemId: string,
): Promise<readonly BegunJob[]> {
  const found = await listNewest(client, {
    endpoint: `runners/${numberOf(id)}/jobs`,
    query: { system_id: systemId, order_by: 'id', sort: 'desc' },
    item: finishedJob,
  });
  return found.flatMap(({ id: job, name, started_at: startedAt, ...rest }) => {
    if (!startedAt) return [];
    const failureReason = rest.status === 'failed' ? rest.failure_reason : undefined;
    return [
      {
        ...{ id: String(job), name: name ?? '', startedAt },
        ...(failureReason ? { failureReason } : {}),
      },
    ];
  });
}

export function toFinishedJob(
  job: z.infer<typeof finishedJob>,
  status: FinishedJob['status'],
): FinishedJob {
  const { id: projectId, path_with_namespace: path } = job.project ?? {};
  return {
    id: String(job.id),
    name: job.name ?? '',
    status,
    url: job.web_url ?? '',
    ...(job.failure_reason ? { failureReason: job.failure_reason } : {}),
    ...(path ? { project: path } : {}),
    ...(projectId ? { projectId: String(projectId) } : {}),
    ...(isDuration(job.duration) ? { durationMs: job.duration * 1000 } : {}),
    ...timesOf(job),
  };
}
