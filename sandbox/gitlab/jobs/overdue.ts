import { isOnline, isStale } from '../contact.ts';
import type { Instance } from '../instance.ts';
import { runnerTakes } from '../protocol/matching.ts';
import type { Job } from '../state.ts';
import { ALIVE } from './pipeline-status.ts';
import { isAssigned, moveTo, requeue } from './transitions.ts';

const MINUTE_MS = 60 * 1000;
const ACKNOWLEDGE_WITHIN_MS = 2 * MINUTE_MS;
const NO_UPDATE_FOR_MS = 60 * MINUTE_MS;
const CANCELING_FOR_MS = 30 * MINUTE_MS;
const UNACKNOWLEDGED_FOR_MS = 60 * MINUTE_MS;
const UNMATCHED_FOR_MS = 60 * MINUTE_MS;
const PENDING_FOR_MS = 24 * 60 * MINUTE_MS;
/** Interval at which GitLab removes stale managers (an assumption). */
const CLEANED_EVERY_MS = 60 * MINUTE_MS;
const BEYOND_TIMEOUT_MS = 15 * MINUTE_MS;

/** Applies the effects of GitLab's background workers. The sandbox does this at each request. */
export function settleOverdue(instance: Instance): void {
  for (const job of instance.state.jobs) {
    if (job.external || job.deletedAt !== null || !ALIVE.includes(job.status)) continue;
    settleJob(instance, job);
  }
  dropStaleManagers(instance);
}

function settleJob(instance: Instance, job: Job): void {
  const now = instance.now();
  if (isAssigned(job)) {
    if (now - assignedSince(job) > UNACKNOWLEDGED_FOR_MS) {
      fail(instance, job, 'runner_provisioning_timeout');
    } else if (now - (job.assignedAt ?? now) > ACKNOWLEDGE_WITHIN_MS) requeue(instance, job);
    return;
  }
  if (job.status === 'pending') {
    const waitedMs = now - (job.queuedAt ?? now);
    if (waitedMs > PENDING_FOR_MS) fail(instance, job, 'stuck_or_timeout_failure');
    else if (waitedMs > UNMATCHED_FOR_MS && !isMatched(instance, job)) {
      const { unmatchedJobsNamed } = instance.features;
      fail(
        instance,
        job,
        unmatchedJobsNamed ? 'stuck_pending_no_matching_runners' : 'stuck_or_timeout_failure',
      );
    }
  } else if (now - job.updatedAt > updateLimitMs(instance, job)) settleStuck(instance, job);
  else if (job.status === 'running' && now - (job.startedAt ?? now) > timeoutMs(job)) {
    fail(instance, job, 'job_execution_timeout');
  }
}

// Returns the time of the assignment. Later reports that the runner prepares the job do not change
// it.
function assignedSince(job: Job): number {
  return job.transitions.findLast(({ status }) => status === 'assigned')?.at ?? job.updatedAt;
}

function updateLimitMs({ features }: Instance, job: Job): number {
  const isSooner = job.status === 'canceling' && features.cancelingEndsSooner;
  return isSooner ? CANCELING_FOR_MS : NO_UPDATE_FOR_MS;
}

// Fails a job without an update for an hour: GitLab notices a dead host only then.
function settleStuck(instance: Instance, job: Job): void {
  if (job.status === 'canceling') moveTo(instance, job, { status: 'canceled' });
  else fail(instance, job, 'stuck_or_timeout_failure');
}

function fail(instance: Instance, job: Job, failureReason: string): void {
  moveTo(instance, job, { status: 'failed', failureReason });
}

function isMatched(instance: Instance, job: Job): boolean {
  return instance.state.runners.some(
    (runner) =>
      !runner.paused &&
      isOnline(instance.now(), runner.contactedAt) === true &&
      runnerTakes(instance, runner, job),
  );
}

// Returns the timeout of a job. A runner enforces it itself; this covers one that does not.
function timeoutMs(job: Job): number {
  return job.timeoutSeconds * 1000 + BEYOND_TIMEOUT_MS;
}

function dropStaleManagers(instance: Instance): void {
  const { managers } = instance.state;
  const since = instance.now() - CLEANED_EVERY_MS;
  const kept = managers.filter((manager) => !isStale(since, manager));
  if (kept.length === managers.length) return;
  instance.state.managers = kept;
  instance.changed();
}
