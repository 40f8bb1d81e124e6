import type { World } from './world.ts';

/** Counts of customer jobs, independent of the product. */
export interface JobCounts {
  readonly submitted: number;
  readonly finished: number;
  readonly waiting: number;
  readonly running: number;
  /** Started jobs that can never succeed because of hosted-runner. */
  readonly interrupted: number;
  /** Jobs that ended by any outside cause. */
  readonly lost: number;
  /** Jobs that were assigned to a runner that never took them. */
  readonly requeued: number;
  readonly longestWaitMs: number;
}

export function countJobs(world: World): JobCounts {
  const jobs = Object.values(world.jobs).filter(({ kind }) => kind === 'customer');
  const count = (test: (job: (typeof jobs)[number]) => boolean) => jobs.filter(test).length;
  const waits = jobs.map(({ startedAt, createdAt }) => (startedAt ?? world.now) - createdAt);
  return {
    submitted: jobs.length,
    finished: count(({ status }) => status === 'success'),
    waiting: count(({ status }) => status === 'waiting' || status === 'assigned'),
    running: count(
      ({ status, interruptedBy }) => status === 'running' && interruptedBy === undefined,
    ),
    interrupted: count(({ interruptedBy }) => interruptedBy === 'us' || interruptedBy === 'force'),
    lost: count(({ status, interruptedBy }) => status === 'failed' || interruptedBy !== undefined),
    requeued: count(({ status, attempt }) => attempt > 1 && status !== 'canceled'),
    longestWaitMs: waits.reduce((longest, wait) => Math.max(longest, wait), 0),
  };
}
