import type { Instance } from '../instance.ts';
import type { Job, JobStatus, Pipeline } from '../state.ts';

const FINISHED: readonly JobStatus[] = ['success', 'failed', 'canceled', 'skipped'];
const CONSTRUCTING: readonly JobStatus[] = ['created', 'waiting_for_callback'];
export const ALIVE: readonly JobStatus[] = [
  'created',
  'waiting_for_resource',
  'preparing',
  'waiting_for_callback',
  'pending',
  'running',
  'canceling',
];

export function isFinished(status: JobStatus): boolean {
  return FINISHED.includes(status);
}

/** Lists the jobs without those that were retried. */
export function jobsOf(instance: Instance, pipeline: Pipeline): Job[] {
  return instance.state.jobs.filter(
    (job) => job.pipelineId === pipeline.id && job.retriedById === null && job.deletedAt === null,
  );
}

export function pipelineStatus(instance: Instance, pipeline: Pipeline): JobStatus {
  return compose(jobsOf(instance, pipeline));
}

function compose(jobs: readonly Job[]): JobStatus {
  // An optional manual job blocks nothing.
  const counted = jobs.filter((job) => !(job.status === 'manual' && job.allowFailure));
  const statuses = counted.map(effectiveStatus);
  const any = (...wanted: JobStatus[]) => statuses.some((status) => wanted.includes(status));
  if (statuses.length === 0) return 'skipped';
  if (any('canceling')) return 'canceling';
  if (any('running')) return 'running';
  if (any('waiting_for_resource')) return 'waiting_for_resource';
  if (any('preparing')) return 'preparing';
  if (any('pending')) return any(...FINISHED) ? 'running' : 'pending';
  if (any('manual')) return 'manual';
  if (any('scheduled')) return 'scheduled';
  if (any(...CONSTRUCTING)) return any('success', 'failed', 'canceled') ? 'running' : 'created';
  if (any('failed')) return 'failed';
  if (any('canceled')) return 'canceled';
  return any('success') ? 'success' : 'skipped';
}

// Returns the status. A failed job that may fail counts as a success with a warning.
function effectiveStatus(job: Job): JobStatus {
  const forgiven = job.allowFailure && (job.status === 'failed' || job.status === 'canceled');
  return forgiven ? 'success' : job.status;
}

export function startedAtOf(jobs: readonly Job[]): number | null {
  const starts = jobs.flatMap((job) => (job.startedAt === null ? [] : [job.startedAt]));
  return starts.length === 0 ? null : Math.min(...starts);
}

export function finishedAtOf(jobs: readonly Job[]): number | null {
  if (jobs.length === 0 || jobs.some((job) => !isFinished(job.status))) return null;
  return Math.max(...jobs.map((job) => job.finishedAt ?? job.updatedAt));
}
