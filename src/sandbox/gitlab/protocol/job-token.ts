import type { Context } from 'hono';
import type { Instance } from '../instance.ts';
import { isFinished } from '../pipeline-status.ts';
import { forbidden, notFound, Refusal } from '../refusal.ts';
import { digestOf } from '../secrets.ts';
import type { Job } from '../state.ts';
import { heartbeat } from './runner-token.ts';

export const JOB_STATUS_HEADER = 'Job-Status';
export const TRACE_INTERVAL_HEADER = 'X-GitLab-Trace-Update-Interval';
/** The runner writes its trace, and hears of a cancellation, this often. */
export const TRACE_INTERVAL_SECONDS = 3;

/** The job that a runner speaks of, if it is still that runner's to play. */
export function authenticateJob(c: Context, instance: Instance, token: string | undefined): Job {
  const job = instance.state.jobs.find((row) => String(row.id) === c.req.param('id'));
  const secret = token ?? c.req.header('job-token');
  if (job === undefined || job.deletedAt !== null) throw notFound();
  const digest = secret === undefined ? '' : digestOf(secret);
  if (!job.tokenDigests.includes(digest)) throw forbidden();
  if (isFinished(job.status)) {
    throw forbidden('Job is not processing on runner', { [JOB_STATUS_HEADER]: job.status });
  }
  // The acknowledgement came too late: the job waits again, or another runner has it.
  if (job.tokenDigests.at(-1) !== digest || job.runnerId === null) {
    throw new Refusal(409, { message: '409 Conflict' });
  }
  return job;
}

/** The job's runner lives, and so does the host: without a row there is nothing to note. */
export function noteContact(instance: Instance, job: Job, info: Record<string, unknown>): void {
  const runner = instance.state.runners.find((row) => row.id === job.runnerId);
  if (runner === undefined || job.systemId === null) return;
  const known = instance.state.managers.some((row) => row.id === job.managerId);
  if (known) heartbeat(instance, runner, { systemId: job.systemId, info });
}

export function describeJob(c: Context, job: Job): void {
  c.header(JOB_STATUS_HEADER, job.status);
  c.header(TRACE_INTERVAL_HEADER, String(TRACE_INTERVAL_SECONDS));
}
