import { chanceOf, type FaultRates, upperBound } from '../health/fault-rate.ts';
import { isRunnersFault } from '../health/runner-faults.ts';
import type { FinishedJob } from '../registration.ts';
import type { SignalReading } from './judge-bake.ts';

/** One script that breaks is a script that broke. */
const leastFailures = 3;

/**
 * Failures of the script on the promoted shard, beside those of the same jobs (project and name) on the
 * old one: an image without a tool fails scripts, and GitLab calls that the customer's. A customer who
 * has broken a script looks the same, which is why it is reported by default and decides nothing.
 *
 * A part of 1, as everywhere: the rate that is taken for usual is the upper 95 % bound of what the same
 * jobs had on the old shard (`upperBound`), and so many failures have to be rarer than `alpha` at it.
 */
export function judgeFailures({
  jobs,
  before,
  alpha,
}: {
  /** Customers' jobs that have ended on the promoted shard. */
  readonly jobs: readonly FinishedJob[];
  /** Those that had ended on the old one before. */
  readonly before: readonly FinishedJob[];
} & Pick<FaultRates, 'alpha'>): Pick<SignalReading, 'value' | 'detail'> {
  const known = new Set(before.map(keyOf));
  const same = jobs.filter((job) => known.has(keyOf(job)));
  const names = new Set(same.map(keyOf));
  const past = before.filter((job) => names.has(keyOf(job)));
  if (same.length === 0)
    return {
      value: 'unknown',
      detail: 'no job that ran on the old shard has ended on the new one',
    };
  const failed = same.filter(isScripts);
  const failedBefore = past.filter(isScripts);
  const usual = upperBound(failedBefore.length, past.length);
  const detail = `${failed.length} of ${same.length} jobs failed by their script, and ${failedBefore.length} of ${past.length} of the same jobs on the old shard`;
  const isTooMany =
    distinct(failed) >= 2 &&
    failed.length >= leastFailures &&
    chanceOf(failed.length, same.length, usual) < alpha;
  const [first] = failed;
  if (!isTooMany || first === undefined) return { value: 'good', detail };
  return { value: 'bad', detail: `${detail}, such as job ${first.id} "${first.name}"` };
}

function isScripts(job: FinishedJob): boolean {
  return job.status === 'failed' && !isRunnersFault(job);
}

/** One job that a customer has broken, tried again and again, is one. */
function distinct(jobs: readonly FinishedJob[]): number {
  return new Set(jobs.map(keyOf)).size;
}

function keyOf({ project, name }: FinishedJob): string {
  return `${project ?? ''} ${name}`;
}
