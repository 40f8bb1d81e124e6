import type { Context } from 'hono';
import { forbidden } from '../answers/refusal.ts';
import type { Instance } from '../instance.ts';
import { isFinished } from '../jobs/pipeline-status.ts';
import { digestOf } from '../secrets.ts';
import type { Job } from '../state.ts';

export const JOB_STATUS_HEADER = 'Job-Status';
export const TRACE_INTERVAL_HEADER = 'X-GitLab-Trace-Update-Interval';

/**
 * Returns the job that a runner reports about, if the runner still has it. The refusal is never
 * 404, which could come from any server.
 */
export function authenticateJob(c: Context, instance: Instance, token: string | undefined): Job {
  const job = instance.state.jobs.find((row) => String(row.id) === c.req.param('id'));
  const secret = token ?? c.req.header('job-token');
  if (job === undefined || job.deletedAt !== null) throw forbidden();
  const digest = secret === undefined ? '' : digestOf(secret);
  if (!job.tokenDigests.includes(digest)) throw forbidden();
  // The job is over, or the acknowledgement came too late: the job waits again or has another
  // runner.
  const isRolledBack = job.tokenDigests.at(-1) !== digest || isUnplayed(job);
  if (isFinished(job.status) || isRolledBack) {
    throw forbidden('Job is not processing on runner', { [JOB_STATUS_HEADER]: job.status });
  }
  return job;
}

// Decides whether a job does not run. A running job of a removed runner also has no runner.
function isUnplayed(job: Job): boolean {
  return job.status === 'pending' && job.runnerId === null;
}

/** Records a contact of the job's runner and manager, if their records exist. */
export function noteContact(instance: Instance, job: Job): void {
  const now = instance.now();
  const runner = instance.state.runners.find((row) => row.id === job.runnerId);
  const manager = instance.state.managers.find((row) => row.id === job.managerId);
  if (runner !== undefined) runner.contactedAt = now;
  if (manager !== undefined) manager.contactedAt = now;
  instance.changed();
}
