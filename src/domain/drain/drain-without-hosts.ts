import type { RegistryJob } from '../registration.ts';
import type { DrainObservation, DrainVerdict } from './drain-check.ts';
import { streakStart } from './streak.ts';

/**
 * From 18.5 on GitLab gives a job to a runner first and lets it begin once the runner has said that it has
 * it. Of one that never says so the job goes back to its queue after two minutes
 * (`RUNNER_ACK_QUEUE_EXPIRY_TIME`); the rest is for whoever puts it there. Where the runner is deleted
 * before, what becomes of the job is told nowhere.
 */
const givenBackWithinMs = 180_000;

/** Of a shard whose last look shows that no host of it exists any more. */
export function judgeWithoutHosts(looks: readonly DrainObservation[]): DrainVerdict {
  const last = looks.at(-1) as DrainObservation;
  const reason = 'no host of the shard exists any more';
  const jobs = last.registration.kind === 'gone' ? [] : describeRollback(looks, last);
  const [job] = jobs;
  if (job === undefined) return { kind: 'drained', reason, lost: last.jobs };
  const says = `${reason}, and job ${job.id} "${job.name}", which none of them took, goes back to its queue`;
  return { kind: 'busy', reason: says, jobs };
}

function describeRollback(
  looks: readonly DrainObservation[],
  last: DrainObservation,
): readonly RegistryJob[] {
  return last.jobs.filter(({ id, status }) => {
    if (status !== 'assigned') return false;
    const isHere = (job: RegistryJob) => job.id === id && job.status === 'assigned';
    const since = streakStart(looks, ({ hostsGone, jobs }) => hostsGone && jobs.some(isHere));
    return last.at - since < givenBackWithinMs;
  });
}
