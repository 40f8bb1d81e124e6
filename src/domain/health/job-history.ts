import type { FinishedJob } from '../registration.ts';

/** Listed jobs of a runner with the same result. */
export interface ListedEnding {
  readonly jobs: readonly FinishedJob[];
  /** Number of older jobs that are not listed. `unknown`: some, without a count. */
  readonly unlisted: number | 'unknown';
}

/** Finished jobs of a runner, as far as they are listed. */
export interface JobHistory {
  /** Newest first, and complete down to the oldest of them. */
  readonly jobs: readonly FinishedJob[];
  /** Jobs that are older than `jobs`. */
  readonly older: {
    /** Failed jobs, as far as they are listed. */
    readonly failed: readonly FinishedJob[];
    /** Number of all other older jobs. */
    readonly others: number | 'unknown';
  };
}

/**
 * Joins both lists down to the point to which both are complete. Each list ends at a different job.
 * Before that point, only jobs with one result are listed, which is no sample.
 */
export function joinEndings(endings: {
  readonly success: ListedEnding;
  readonly failed: ListedEnding;
}): JobHistory {
  const lists = [endings.success, endings.failed];
  const from = Math.max(
    0,
    ...lists.flatMap(({ jobs, unlisted }) => (unlisted === 0 ? [] : [oldestOf(jobs)])),
  );
  const isOlder = ({ id }: FinishedJob) => Number(id) < from;
  const succeededBefore = endings.success.jobs.filter(isOlder).length;
  const others = lists.reduce<number | 'unknown'>(
    (sum, { unlisted }) =>
      sum === 'unknown' || unlisted === 'unknown' ? 'unknown' : sum + unlisted,
    succeededBefore,
  );
  return {
    jobs: lists
      .flatMap(({ jobs }) => jobs.filter((job) => !isOlder(job)))
      .sort((one, other) => Number(other.id) - Number(one.id)),
    // Without the total number of jobs, these failures prove nothing.
    older: { failed: others === 'unknown' ? [] : endings.failed.jobs.filter(isOlder), others },
  };
}

function oldestOf(jobs: readonly FinishedJob[]): number {
  return jobs.reduce((oldest, { id }) => Math.min(oldest, Number(id)), Number.POSITIVE_INFINITY);
}
