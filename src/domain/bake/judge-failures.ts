import { chanceOf, type FaultRates, upperBound } from '../health/fault-rate.ts';
import { isRunnersFault } from '../health/runner-faults.ts';
import type { FinishedJob } from '../registration.ts';
import type { SignalReading } from './judge-bake.ts';

/** A single broken script can fail twice by chance. */
const leastFailures = 3;

/**
 * Compares script failures on the promoted shard with those of the same jobs (project and name) on
 * the old shard. An image without a tool fails scripts, and GitLab attributes these failures to the
 * customer. A customer's own broken script has the same effect: by default, the signal only reports.
 * The baseline rate is the upper 95 % bound of the same jobs on the old shard (`upperBound`). The
 * failures count as too many if their probability at that rate is below `alpha` (a fraction of 1).
 */
export function judgeFailures({
  jobs,
  before,
  alpha,
}: {
  /** Customer jobs that finished on the promoted shard. */
  readonly jobs: readonly FinishedJob[];
  /** Customers' jobs that had finished on the old shard before. */
  readonly before: readonly FinishedJob[];
} & Pick<FaultRates, 'alpha'>): Pick<SignalReading, 'value' | 'detail'> {
  const known = new Set(before.map(keyOf));
  const same = jobs.filter((job) => known.has(keyOf(job)));
  const names = new Set(same.map(keyOf));
  const past = before.filter((job) => names.has(keyOf(job)));
  if (same.length === 0)
    return {
      value: 'unknown',
      detail: 'no job that ran on the old shard has finished on the new one',
    };
  const failed = same.filter(isScripts);
  const failedBefore = past.filter(isScripts);
  const usual = upperBound(failedBefore.length, past.length);
  const detail = `${failed.length} of ${same.length} jobs failed in their script, compared with ${failedBefore.length} of ${past.length} of the same jobs on the old shard`;
  const isTooMany =
    distinct(failed) >= 2 &&
    failed.length >= leastFailures &&
    chanceOf(failed.length, same.length, usual) < alpha;
  const [first] = failed;
  if (!isTooMany || first === undefined) return { value: 'good', detail };
  return { value: 'bad', detail: `${detail}, for example job ${first.id} "${first.name}"` };
}

function isScripts(job: FinishedJob): boolean {
  return job.status === 'failed' && !isRunnersFault(job);
}

/** Counts different jobs: repeated retries of one broken job count once. */
function distinct(jobs: readonly FinishedJob[]): number {
  return new Set(jobs.map(keyOf)).size;
}

function keyOf({ project, name }: FinishedJob): string {
  return `${project ?? ''} ${name}`;
}
