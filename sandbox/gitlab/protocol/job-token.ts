import type { Context } from 'hono';
import { forbidden } from '../answers/refusal.ts';
import type { Instance } from '../instance.ts';
import { isFinished } from '../jobs/pipeline-status.ts';
import { digestOf } from '../secrets.ts';
import type { Job } from '../state.ts';

export const JOB_STATUS_HEADER = 'Job-Status';
export const TRACE_INTERVAL_HEADER = 'X-GitLab-Trace-Update-Interval';

/** The job that a runner speaks of, if it is still that runner's to play. Never a 404: that could be anybody's. */
export function authenticateJob(c: Context, instance: Instance, token: string | undefined): Job {
  const job = instance.state.jobs.find((row) => String(row.id) === c.req.param('id'));
  const secret = token ?? c.req.header('job-token');
  if (job === undefined || job.deletedAt !== null) throw forbidden();
  const digest = secret === undefined ? '' : digestOf(secret);
  if (!job.tokenDigests.includes(digest)) throw forbidden();
  // Over, or the acknowledgement came too late: the job waits again, or another runner has it.
  const isRolledBack = job.tokenDigests.at(-1) !== digest || isUnplayed(job);
  if (isFinished(job.status) || isRolledBack) {
    throw forbidden('Job is not processing on runner', { [JOB_STATUS_HEADER]: job.status });
  }
  return job;
}

// A running job whose runner was removed has no runner either.
function isUnplayed(job: Job): boolean {
  return job.status === 'pending' && job.runnerId === null;
}

/** The job's runner lives, and its manager too if it has a row: without rows there is nothing to note. */
export function noteContact(instance: Instance, job: Job): void {
  const now = instance.now();
  const runner = instance.state.runners.find((row) => row.id === job.runnerId);
  const manager = instance.state.managers.find((row) => row.id === job.managerId);
  if (runner !== undefined) runner.contactedAt = now;
  if (manager !== undefined) manager.contactedAt = now;
  instance.changed();
}
