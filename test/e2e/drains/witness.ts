import type { Sandbox } from '../../../sandbox/sandbox.ts';

/** From the moment a drain was declared until the runner was opened again. */
export interface Declared {
  readonly number: number;
  readonly registration: number;
  /** When the drain began. */
  readonly begunAt: number;
  readonly from: number;
  readonly to: number;
}

/**
 * What GitLab itself knows of every job, asked past every fault and without a word of the product:
 * jobs that did not run exactly once to their end, and jobs that a runner had while it was drained.
 */
export function whatWentWrong(
  { gitlab }: Pick<Sandbox, 'gitlab'>,
  { cancelled, declared }: { cancelled: ReadonlySet<number>; declared: readonly Declared[] },
): string[] {
  return gitlab.jobs().flatMap((job) => {
    const starts = job.transitions.filter(({ status }) => status === 'running').length;
    const isWell =
      (job.status === 'success' && starts === 1 && job.retriedById === null) ||
      (cancelled.has(job.id) && job.status === 'canceled' && starts <= 1);
    const lost = isWell
      ? []
      : [`job ${job.id} is ${job.status} (${job.failureReason}), started ${starts} times`];
    return [...lost, ...overlaps(job, declared)];
  });
}

/** Whether the drain began while its runner had a job. */
export function wasBusy(jobs: readonly Job[], { registration, begunAt }: Declared): boolean {
  return jobs
    .flatMap(holdings)
    .some(({ runnerId, from, to }) => runnerId === registration && from <= begunAt && begunAt < to);
}

type Job = ReturnType<Sandbox['gitlab']['jobs']>[number];

function overlaps(job: Job, declared: readonly Declared[]): string[] {
  return holdings(job).flatMap(({ runnerId, from, to }) =>
    declared
      .filter((drain) => drain.registration === runnerId && from < drain.to && to > drain.from)
      .map(
        ({ number, ...drain }) =>
          `drain ${number} was declared ${to - drain.from} ms before runner ${runnerId} was rid of job ${job.id}`,
      ),
  );
}

/** From each assignment to a runner until the job ended or was taken back. */
function holdings(job: Job): { runnerId: number; from: number; to: number }[] {
  const held: { runnerId: number; from: number; to: number }[] = [];
  for (const { at, status, runnerId } of job.transitions) {
    const last = held.at(-1);
    if (status === 'assigned' && runnerId !== null)
      held.push({ runnerId, from: at, to: Number.POSITIVE_INFINITY });
    else if (last !== undefined && !['assigned', 'running', 'canceling'].includes(status))
      last.to = Math.min(last.to, at);
  }
  return held;
}
