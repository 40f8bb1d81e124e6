import { badRequest, forbidden } from '../answers/refusal.ts';
import type { Instance } from '../instance.ts';
import type { Job } from '../state.ts';
import { unbegun } from './creation.ts';
import { isFinished } from './pipeline-status.ts';
import { moveTo } from './transitions.ts';

/**
 * Cancels a job. A finished job is unchanged. A running job gets a request to stop, and may clean
 * up first.
 */
export function cancelJob(instance: Instance, job: Job): void {
  if (isFinished(job.status) || job.status === 'canceling') return;
  const graceful = job.status === 'running' && stopsGracefully(instance, job);
  moveTo(instance, job, { status: graceful ? 'canceling' : 'canceled' });
}

/** Force-cancels a job that does not stop. Any other job is unchanged. */
export function forceCancelJob(instance: Instance, job: Job): void {
  if (job.status === 'canceling') moveTo(instance, job, { status: 'canceled' });
}

export function retryJob(instance: Instance, job: Job, userId: number): Job {
  const retryable = ['success', 'failed', 'canceled'].includes(job.status);
  if (!retryable || job.retriedById !== null) throw forbidden('Job is not retryable');
  const retry: Job = { ...job, ...unbegun(instance), userId, retryOfId: job.id };
  job.retriedById = retry.id;
  instance.state.jobs.push(retry);
  moveTo(instance, retry, { status: job.external ? 'created' : 'pending' });
  return retry;
}

export function playJob(instance: Instance, job: Job, userId: number): void {
  if (job.status !== 'manual' && job.status !== 'scheduled') throw badRequest('Unplayable Job');
  job.userId = userId;
  moveTo(instance, job, { status: 'pending' });
}

// Decides whether the runner supports a graceful stop, by its last report.
function stopsGracefully(instance: Instance, job: Job): boolean {
  if (job.external) return false;
  const manager = instance.state.managers.find((row) => row.id === job.managerId);
  return manager?.features['cancel_gracefully'] === true;
}
