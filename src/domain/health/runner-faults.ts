import type { FinishedJob } from '../registration.ts';
import {
  baselineAfter,
  chanceOf,
  type FaultCount,
  type FaultRates,
  judgeCount,
} from './fault-rate.ts';

/**
 * GitLab's reasons that blame the runner, and neither the script nor GitLab. Up to 18 nearly all of
 * them are `runner_system_failure`. A job whose runner is lost ends after an hour without a word.
 * https://docs.gitlab.com/ci/yaml/#retrywhen
 */
const runnersFault: ReadonlySet<string> = new Set([
  'runner_system_failure',
  'runner_unsupported',
  'runner_configuration_error',
  'runner_external_dependency_failure',
  'runner_interrupted',
  'runner_provisioning_timeout',
  'stuck_or_timeout_failure',
  'no_updates_running',
]);

/** One cause breaks several jobs within so long: a disk that is full, a short loss of the network. */
const oneCauseMs = 60_000;

/** So long before or after a fault of the other shard, the cause may be what both of them need. */
export const sharedCauseMs = 300_000;

export interface FaultFacts {
  /** Customers' jobs that have ended on the shard in question since it is watched. */
  readonly jobs: readonly FinishedJob[];
  /**
   * How many more had ended there before these and are not listed. They count as good ones, so that the
   * oldest that is listed is not judged as if it were the first. `unknown`: nobody counts them.
   */
  readonly unlisted: number | 'unknown';
  /** Those that have ended on the other shard; one that is no fault near one of ours counts nowhere. */
  readonly elsewhere: readonly FinishedJob[];
  /** When, by our own clock, hosts of both shards were seen to lack the same. */
  readonly outages: readonly number[];
  /** Those that had ended on the other shard before; it was good. */
  readonly before: readonly FinishedJob[];
  readonly rates: FaultRates;
}

/**
 * `usual`: no more faults than a good runner has. `unhealthy`: more than chance brings, and waiting
 * cannot mend it. `inconclusive`: neither for the shard nor against it.
 */
export interface FaultVerdict {
  readonly kind: 'usual' | 'inconclusive' | 'unhealthy';
  readonly reason: string;
}

export function isRunnersFault({
  status,
  failureReason,
}: {
  readonly status: string;
  readonly failureReason?: string;
}): boolean {
  return status === 'failed' && blamesRunner(failureReason);
}

/** Of a job that failed; `undefined`: nobody says why. */
export function blamesRunner(failureReason: string | undefined): boolean {
  return failureReason !== undefined && runnersFault.has(failureReason);
}

/** Of a moment of our own clock, which may be a little off the registry's. */
export function endedBefore(jobs: readonly FinishedJob[], at: number): readonly FinishedJob[] {
  return jobs.filter((job) => endOf(job) < at);
}

/**
 * Judges a shard by its customers' jobs as if it had been asked after each of them, so that it makes no
 * difference when it is looked at, and nothing has to be kept from one look to the next.
 */
export function judgeFaults({
  jobs,
  unlisted,
  elsewhere,
  outages,
  before,
  rates,
}: FaultFacts): FaultVerdict {
  const limits = { ...rates, baseline: baselineAfter(rates, countFaults(before)) };
  const ofOneProject = new Set([...jobs, ...elsewhere, ...before].map(projectOf)).size <= 1;
  const originOf = ofOneProject ? keyOf : projectOf;
  const endings = [...elsewhere.filter(isRunnersFault).map(endOf), ...outages];
  const since = unlisted === 'unknown' ? 0 : unlisted;
  const counts = countUp(jobs, { originOf, since });
  const isShared = (job: FinishedJob) => isNear(endOf(job), endings);
  const ownCounts = countUp(jobs, { originOf, since, isShared });
  const isTooMany = (count: Count) =>
    count.origins.size >= 2 && judgeCount(count, limits) === 'too_many';

  const crossed = ownCounts.find(isTooMany);
  // A start that is not the first job would give each new one a chance of its own.
  if (crossed !== undefined && unlisted === 'unknown')
    return inconclusive(crossed, limits, 'and so many before them that nobody counts them');
  if (crossed !== undefined) return { kind: 'unhealthy', reason: describe(crossed, limits) };
  const last = counts.at(-1);
  const crossedByAll = counts.find(isTooMany);
  if (crossedByAll !== undefined)
    return inconclusive(
      crossedByAll,
      limits,
      'the other shard had faults at that time, or lacked the same',
    );
  if (last === undefined) return { kind: 'usual', reason: 'no job' };
  const isAsBefore = judgeCount(last, limits) === 'usual';
  // The bound of few jobs lies high: what it excuses is no proof against a shard, and none for it.
  if (isAsBefore && judgeCount(last, rates) === 'too_many')
    return inconclusive(
      last,
      limits,
      'no more than the old shard had, and too many for a good one',
    );
  if (isAsBefore) return { kind: 'usual', reason: describe(last, limits) };
  const why =
    last.origins.size < 2
      ? `all of one ${ofOneProject ? 'job' : 'project'}, whose own fault it may be`
      : 'too few to tell from chance';
  return inconclusive(last, limits, why);
}

function inconclusive(count: Count, limits: FaultRates, why: string): FaultVerdict {
  return { kind: 'inconclusive', reason: `${describe(count, limits)}; ${why}` };
}

interface Count extends FaultCount {
  readonly first: FinishedJob | undefined;
  /** Whose jobs they were. */
  readonly origins: ReadonlySet<string>;
}

interface Rules {
  readonly originOf: (job: FinishedJob) => string;
  /** How many good jobs came before. */
  readonly since?: number;
  readonly isShared?: (job: FinishedJob) => boolean;
}

/**
 * What had been counted after each job, in the order in which they ended. Every job is a draw. What one
 * cause breaks is one fault: all of a minute, for the list of a runner's jobs does not say on which of
 * its machines they ran; and a job that never succeeded here, however often it is tried again.
 */
function countUp(jobs: readonly FinishedJob[], { originOf, since = 0, isShared }: Rules): Count[] {
  const succeeded = new Set(jobs.filter(({ status }) => status === 'success').map(keyOf));
  const tried = new Set<string>();
  const counts: Count[] = [];
  let count: Count = { faults: 0, jobs: since, first: undefined, origins: new Set() };
  let begunAt = Number.NEGATIVE_INFINITY;
  for (const job of inOrder(jobs)) {
    count = { ...count, jobs: count.jobs + 1 };
    if (isRunnersFault(job) && isShared?.(job) !== true) {
      const isAgain = tried.has(keyOf(job)) && !succeeded.has(keyOf(job));
      tried.add(keyOf(job));
      const isNew = !isAgain && endOf(job) - begunAt >= oneCauseMs;
      if (isNew) begunAt = endOf(job);
      count = {
        ...count,
        faults: count.faults + (isNew ? 1 : 0),
        first: count.first ?? job,
        origins: new Set([...count.origins, originOf(job)]),
      };
    }
    counts.push(count);
  }
  return counts;
}

function countFaults(jobs: readonly FinishedJob[]): FaultCount {
  return countUp(jobs, { originOf: projectOf }).at(-1) ?? { faults: 0, jobs: 0 };
}

function projectOf({ project }: FinishedJob): string {
  return project ?? '';
}

function keyOf(job: FinishedJob): string {
  return `${projectOf(job)} ${job.name}`;
}

function inOrder(jobs: readonly FinishedJob[]): FinishedJob[] {
  return jobs
    .map((job) => ({ job, end: endOf(job) }))
    .sort((one, other) => one.end - other.end || Number(one.job.id) - Number(other.job.id))
    .map(({ job }) => job);
}

/** Milliseconds, by the registry's clock. Of jobs without a time nobody can say that they lie apart. */
export function endOf({ startedAt, durationMs }: FinishedJob): number {
  const end = Date.parse(startedAt ?? '') + (durationMs ?? 0);
  return Number.isNaN(end) ? 0 : end;
}

function isNear(end: number, others: readonly number[]): boolean {
  return others.some((other) => Math.abs(end - other) <= sharedCauseMs);
}

function describe({ faults, jobs, first }: Count, { baseline }: FaultRates): string {
  if (first === undefined) return `no fault of the runner in ${jobs} jobs`;
  const often = Math.round(1 / chanceOf(faults, jobs, baseline));
  return `${faults} ${faults === 1 ? 'fault' : 'faults'} of the runner in ${jobs} ${jobs === 1 ? 'job' : 'jobs'}, such as job ${first.id} "${first.name}" (${first.failureReason}); one that fails ${percent(baseline)} of its jobs does that once in ${often} times`;
}

function percent(part: number): string {
  return `${Number((part * 100).toPrecision(2))} %`;
}
