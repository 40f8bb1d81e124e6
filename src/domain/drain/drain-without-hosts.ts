import type { RegistryJob } from '../registration.ts';
import type { DrainObservation, DrainVerdict } from './drain-check.ts';
import { streakStart } from './streak.ts';

/**
 * From 18.5 on, GitLab assigns a job to a runner and starts it after the runner's acknowledgement.
 * A job without one returns to its queue after two minutes (`RUNNER_ACK_QUEUE_EXPIRY_TIME`); the
 * rest is a margin for the requeue. GitLab does not document the job's end if the runner is deleted
 * earlier.
 */
const requeuedWithinMs = 180_000;

/** Decides a drain if the last check proves that no host of the shard exists. */
export function judgeWithoutHosts(checks: readonly DrainObservation[]): DrainVerdict {
  const last = checks.at(-1) as DrainObservation;
  const reason = 'no host of the shard exists';
  const jobs = last.registration.kind === 'gone' ? [] : describeRollback(checks, last);
  const [job] = jobs;
  if (job === undefined) return { kind: 'drained', reason, lost: last.jobs };
  const detail = `${reason}, and job ${job.id} "${job.name}", which no host took, returns to its queue`;
  return { kind: 'busy', reason: detail, jobs };
}

function describeRollback(
  checks: readonly DrainObservation[],
  last: DrainObservation,
): readonly RegistryJob[] {
  return last.jobs.filter(({ id, status }) => {
    if (status !== 'assigned') return false;
    const isHere = (job: RegistryJob) => job.id === id && job.status === 'assigned';
    const since = streakStart(checks, ({ hostsGone, jobs }) => hostsGone && jobs.some(isHere));
    return last.at - since < requeuedWithinMs;
  });
}
