import type { FinishedJob } from '../registration.ts';

/** All jobs of a runner with one ending, as far back as they are listed. */
export interface ListedEnding {
  readonly jobs: readonly FinishedJob[];
  /** How many older ones are not listed. `unknown`: some, and nobody counts them. */
  readonly unlisted: number | 'unknown';
}

/** What has ended on a runner, as far back as it is listed. */
export interface JobHistory {
  /** Newest first; of those that are younger than the oldest of them, none is left out. */
  readonly jobs: readonly FinishedJob[];
  /** What is older than these. */
  readonly older: {
    /** Those that failed, as far as they are listed. */
    readonly failed: readonly FinishedJob[];
    /** How many more there are. */
    readonly others: number | 'unknown';
  };
}

/**
 * Lists are cut at their old end, each of them at another job. Where the one is cut, what the other one
 * has from before is no sample of that time: all of it would be of one ending.
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
    // Failures of which nobody knows among how many they were say nothing.
    older: { failed: others === 'unknown' ? [] : endings.failed.jobs.filter(isOlder), others },
  };
}

function oldestOf(jobs: readonly FinishedJob[]): number {
  return jobs.reduce((oldest, { id }) => Math.min(oldest, Number(id)), Number.POSITIVE_INFINITY);
}
