import { z } from 'zod';
import type { CanaryJob } from '../../../ports/canary.ts';
import { PortFailure } from '../../../ports/failure.ts';
import { printableName } from '../../transport/words/name.ts';
import type { GitLabClient } from '../gitlab-client.ts';
import { isNotFound } from '../http-404.ts';
import { listAll, readOne } from '../list-reader.ts';

export const job = z.object({
  id: z.number().int().positive(),
  name: printableName,
  // Any text: GitLab has added statuses before, and an unknown one proves nothing.
  status: z.string(),
  created_at: z.string(),
  started_at: z.string().nullish(),
  finished_at: z.string().nullish(),
  failure_reason: printableName.nullish(),
  web_url: z.string().nullish(),
  tag_list: z.array(z.string()).nullish(),
  pipeline: z.object({ id: z.number() }).nullish(),
  // Null before the assignment, and as soon as the runner or manager is deleted.
  runner: z.object({ id: z.number() }).nullish(),
  runner_manager: z.object({ id: z.number(), system_id: z.string().nullish() }).nullish(),
});

export type Job = z.infer<typeof job>;

export interface JobPlace {
  /** Id or full path. */
  readonly project: number | string;
}

export function readJob(client: GitLabClient, place: JobPlace, id: number): Promise<Job> {
  const project = encodeURIComponent(String(place.project));
  return readOne(client, `projects/${project}/jobs/${id}`, { schema: job });
}

/** Lists the jobs of a pipeline, including retried ones. */
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

/**
 * Finds a job. Undefined only if GitLab's message is that the job does not exist. A project that
 * the token can no longer read also returns 404, which proves nothing about the job.
 */
export async function findJob(
  client: GitLabClient,
  place: JobPlace,
  id: number,
): Promise<Job | undefined> {
  try {
    return await readJob(client, place, id);
  } catch (error) {
    if (isNotFound(error, 'record')) return undefined;
    throw error;
  }
}

const canaryStatus: Readonly<Record<string, CanaryJob['status']>> = {
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
  // Neither status runs by itself. As after a cancel, the job can only be started again.
  skipped: 'canceled',
  manual: 'canceled',
};

export function toCanaryJob(found: Job): CanaryJob {
  const reason = found.status === 'skipped' || found.status === 'manual' ? found.status : undefined;
  const failureReason = found.failure_reason ?? reason;
  return {
    id: String(found.id),
    status: canaryStatus[found.status] ?? 'unknown',
    createdAt: found.created_at,
    url: found.web_url ?? '',
    ...(found.started_at ? { startedAt: found.started_at } : {}),
    ...(found.finished_at ? { finishedAt: found.finished_at } : {}),
    ...(failureReason === undefined ? {} : { failureReason }),
    ...(found.runner ? { registrationId: String(found.runner.id) } : {}),
    ...(found.runner_manager
      ? {
          workerId: found.runner_manager.id,
          ...(found.runner_manager.system_id ? { systemId: found.runner_manager.system_id } : {}),
        }
      : {}),
  };
}

/**
 * Creates the failure for a job list without items, which GitLab returns if the token may not read
 * builds.
 */
export function unreadableJobs(project: number | string, pipelineId: number): PortFailure {
  return new PortFailure({
    kind: 'denied',
    effect: 'none',
    source: `GitLab GET /projects/${project}/pipelines/${pipelineId}/jobs`,
    detail: 'it lists no job of the pipeline: this token cannot read its jobs',
  });
}

export function hasTag({ tag_list: tags }: Job, tag: string): boolean {
  return tags?.includes(tag) === true;
}

export function newest(jobs: readonly Job[]): Job | undefined {
  return jobs.reduce<Job | undefined>(
    (latest, each) => (latest === undefined || each.id > latest.id ? each : latest),
    undefined,
  );
}
