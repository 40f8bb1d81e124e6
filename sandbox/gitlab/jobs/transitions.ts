import type { Instance } from '../instance.ts';
import type { Job, JobStatus, Manager, Runner, Transition } from '../state.ts';
import { isFinished } from './pipeline-status.ts';
import { tickQueuesFor } from './queue.ts';

/** Changes a job's status and records it in the job's history. Every change uses this function. */
export function moveTo(
  instance: Instance,
  job: Job,
  { status, failureReason = null }: { status: JobStatus; failureReason?: string | null },
): void {
  const now = instance.now();
  job.status = status;
  job.updatedAt = now;
  if (status === 'pending') job.queuedAt ??= now;
  if (status === 'running') job.startedAt ??= now;
  job.finishedAt = isFinished(status) ? now : null;
  job.failureReason = status === 'failed' ? (failureReason ?? 'unknown_failure') : null;
  remember(instance, job, status);
  if (status === 'pending' && !job.external) tickQueuesFor(instance, job);
}

/** Assigns a job to a runner. GitLab reports it as pending until the runner acknowledges it. */
export function assign(
  instance: Instance,
  job: Job,
  { runner, manager, tokenDigest }: { runner: Runner; manager: Manager; tokenDigest: string },
): void {
  job.runnerId = runner.id;
  job.systemId = manager.systemId;
  job.assignedAt = instance.now();
  job.tokenDigests.push(tokenDigest);
  remember(instance, job, 'assigned');
}

export function start(instance: Instance, job: Job): void {
  const manager = instance.state.managers.find(
    (row) => row.runnerId === job.runnerId && row.systemId === job.systemId,
  );
  job.managerId = manager?.id ?? null;
  moveTo(instance, job, { status: 'running' });
}

export function requeue(instance: Instance, job: Job): void {
  job.runnerId = null;
  job.managerId = null;
  job.systemId = null;
  job.assignedAt = null;
  moveTo(instance, job, { status: 'pending' });
}

export function isAssigned(job: Job): boolean {
  return job.status === 'pending' && job.runnerId !== null;
}

function remember(instance: Instance, job: Job, status: Transition['status']): void {
  const at = instance.now();
  job.transitions.push({ at, status, runnerId: job.runnerId, systemId: job.systemId });
  const pipeline = instance.state.pipelines.find((candidate) => candidate.id === job.pipelineId);
  if (pipeline !== undefined) pipeline.updatedAt = at;
  instance.changed();
}
