import { z } from 'zod';
import type { CanaryJob } from '../ports/canary.ts';
import { isRefusal } from '../transport/refusal.ts';
import type { GitLabClient } from './client.ts';
import { listAll, readOne } from './listing.ts';

export const jobStatus = z.enum([
  'created',
  'waiting_for_resource',
  'preparing',
  'waiting_for_callback',
  'pending',
  'running',
  'success',
  'failed',
  'canceling',
  'canceled',
  'skipped',
  'manual',
  'scheduled',
]);

export type JobStatus = z.infer<typeof jobStatus>;

const moment = z.iso.datetime({ offset: true });

export const job = z.object({
  id: z.number().int().positive(),
  name: z.string(),
  status: jobStatus,
  created_at: moment,
  started_at: moment.nullish(),
  finished_at: moment.nullish(),
  failure_reason: z.string().nullish(),
  web_url: z.string(),
  tag_list: z.array(z.string()),
  pipeline: z.object({ id: z.number() }),
  runner: z.object({ id: z.number() }).nullish(),
  runner_manager: z.object({ id: z.number(), system_id: z.string() }).nullish(),
});

export type Job = z.infer<typeof job>;

export interface JobPlace {
  /** An id or a full path. */
  readonly project: number | string;
}

export function readJob(client: GitLabClient, place: JobPlace, id: number): Promise<Job> {
  const project = encodeURIComponent(String(place.project));
  return readOne(client, `projects/${project}/jobs/${id}`, { schema: job });
}

/** Also those that were retried since. */
export function listPipelineJobs(
  client: GitLabClient,
  place: JobPlace,
  pipelineId: number,
): Promise<readonly Job[]> {
  const project = encodeURIComponent(String(place.project));
  return listAll(client, {
    endpoint: `projects/${project}/pipelines/${pipelineId}/jobs`,
    query: { include_retried: true },
    item: job,
  });
}

/** Undefined if GitLab says that there is no such job. */
export async function findJob(
  client: GitLabClient,
  place: JobPlace,
  id: number,
): Promise<Job | undefined> {
  try {
    return await readJob(client, place, id);
  } catch (error) {
    if (isRefusal(error, 404)) return undefined;
    throw error;
  }
}

const canaryStatus: Readonly<Record<JobStatus, CanaryJob['status']>> = {
  created: 'waiting',
  waiting_for_resource: 'waiting',
  preparing: 'waiting',
  waiting_for_callback: 'waiting',
  pending: 'waiting',
  scheduled: 'waiting',
  running: 'running',
  canceling: 'canceling',
  success: 'success',
  failed: 'failed',
  canceled: 'canceled',
  // Neither runs by itself: what is left is to start it, as after a cancel.
  skipped: 'canceled',
  manual: 'canceled',
};

export function toCanaryJob(found: Job): CanaryJob {
  const reason = found.status === 'skipped' || found.status === 'manual' ? found.status : undefined;
  const failureReason = found.failure_reason ?? reason;
  return {
    id: String(found.id),
    status: canaryStatus[found.status],
    createdAt: found.created_at,
    url: found.web_url,
    ...(found.started_at ? { startedAt: found.started_at } : {}),
    ...(found.finished_at ? { finishedAt: found.finished_at } : {}),
    ...(failureReason === undefined ? {} : { failureReason }),
    ...(found.runner ? { registrationId: String(found.runner.id) } : {}),
    ...(found.runner_manager
      ? { workerId: found.runner_manager.id, systemId: found.runner_manager.system_id }
      : {}),
  };
}

export function newest(jobs: readonly Job[]): Job | undefined {
  return jobs.reduce<Job | undefined>(
    (latest, each) => (latest === undefined || each.id > latest.id ? each : latest),
    undefined,
  );
}
