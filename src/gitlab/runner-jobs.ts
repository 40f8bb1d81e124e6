import { z } from 'zod';
import type { RegistrationId } from '../domain/shard.ts';
import type { FinishedJob, RegistryJob } from '../ports/registry.ts';
import type { GitLabClient } from './client.ts';
import { listAll, listNewest } from './listing.ts';
import { numberOf } from './registration.ts';

// A pending job of a runner is one that was given to it and is not acknowledged yet.
const statuses = {
  pending: 'assigned',
  running: 'running',
  canceling: 'canceling',
} as const satisfies Record<string, RegistryJob['status']>;

const runnerJob = z.object({
  id: z.number().int().positive(),
  name: z.string(),
  status: z.enum(['pending', 'running', 'canceling']),
  started_at: z.string().nullish(),
  queued_duration: z.number().min(0).nullish(),
  web_url: z.string(),
  project: z.object({ path_with_namespace: z.string() }),
});

/** In the order of a job's life, so that one that moves on while we read is listed at least once. */
export async function listRunnerJobs(
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
    for (const job of found) jobs.set(job.id, toRegistryJob(job));
  }
  return [...jobs.values()];
}

function toRegistryJob(job: z.infer<typeof runnerJob>): RegistryJob {
  return {
    id: String(job.id),
    name: job.name,
    status: statuses[job.status],
    project: job.project.path_with_namespace,
    url: job.web_url,
    ...timesOf(job),
  };
}

/** Seconds with a fraction in GitLab; `null` where it does not know. */
function timesOf(job: {
  started_at?: string | null | undefined;
  queued_duration?: number | null | undefined;
}) {
  const { started_at: startedAt, queued_duration: queued } = job;
  return {
    ...(startedAt ? { startedAt } : {}),
    ...(typeof queued === 'number' ? { queuedMs: queued * 1000 } : {}),
  };
}

const finishedJob = z.object({
  id: z.number().int().positive(),
  name: z.string(),
  status: z.enum(['success', 'failed']),
  failure_reason: z.string().nullish(),
  started_at: z.string().nullish(),
  queued_duration: z.number().min(0).nullish(),
  duration: z.number().min(0).nullish(),
  web_url: z.string(),
  project: z.object({ path_with_namespace: z.string() }).nullish(),
});

/** The newest page of each is enough: older jobs say nothing of a runner that was just promoted. */
export async function listFinishedRunnerJobs(
  client: GitLabClient,
  id: RegistrationId,
): Promise<readonly FinishedJob[]> {
  const jobs: FinishedJob[] = [];
  for (const status of ['success', 'failed'] as const) {
    const found = await listNewest(client, {
      endpoint: `runners/${numberOf(id)}/jobs`,
      query: { status, order_by: 'id', sort: 'desc' },
      item: finishedJob,
    });
    jobs.push(...found.map(toFinishedJob));
  }
  return jobs.sort((one, other) => Number(other.id) - Number(one.id));
}

function toFinishedJob(job: z.infer<typeof finishedJob>): FinishedJob {
  return {
    id: String(job.id),
    name: job.name,
    status: job.status,
    url: job.web_url,
    ...(job.failure_reason ? { failureReason: job.failure_reason } : {}),
    ...(job.project ? { project: job.project.path_with_namespace } : {}),
    ...(typeof job.duration === 'number' ? { durationMs: job.duration * 1000 } : {}),
    ...timesOf(job),
  };
}
