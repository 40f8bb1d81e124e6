import type { FinishedJob } from '../registration.ts';
import { counted } from '../text/count-text.ts';
import {
  baselineAfter,
  chanceOf,
  type FaultCount,
  type FaultRates,
  judgeCount,
} from './fault-rate.ts';

/**
 * GitLab's failure reasons that blame the runner, neither the script nor GitLab. Up to version 18,
 * almost all of them are `runner_system_failure`. A job whose runner is lost ends after an hour
 * without an update. https://docs.gitlab.com/ci/yaml/#retrywhen
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

/** Failures within this time may have one cause: a full disk, a short network outage. */
const oneCauseMs = 60_000;

/** Failures of both shards within this time may have a common cause outside the runners. */
export const sharedCauseMs = 300_000;

export interface FaultFacts {
  /** Customer jobs that finished on the checked shard since its checks began. */
  readonly jobs: readonly FinishedJob[];
  /**
   * Number of older finished jobs that are not listed. They count as successful: the oldest listed
   * job is then not treated as the first. `unknown`: without a count.
   */
  readonly unlisted: number | 'unknown';
  /**
   * Finished jobs of the other shard. A runner failure among them shows a possible common cause for
   * failures of the checked shard near it.
   */
  readonly elsewhere: readonly FinishedJob[];
  /** Times, on hosted-runner's clock, at which hosts of both shards lacked the same resource. */
  readonly outages: readonly number[];
  /** Jobs that had finished on the other shard before; that shard was good. */
  readonly before: readonly FinishedJob[];
  readonly rates: FaultRates;
}

/**
 * `usual`: no more failures than a good runner has. `unhealthy`: more than by chance, and waiting
 * cannot fix it. `inconclusive`: neither for nor against the shard.
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

/** Returns whether a failed job's reason blames the runner; a job without a reason does not. */
export function blamesRunner(failureReason: string | undefined): boolean {
  return failureReason !== undefined && runnersFault.has(failureReason);
}

/**
 * Lists jobs that finished before `at`. Clocks of hosted-runner and the registry may differ
 * slightly.
 */
export function endedBefore(jobs: readonly FinishedJob[], at: number): readonly FinishedJob[] {
  return jobs.filter((job) => endOf(job) < at);
}

/**
 * Returns the verdict on a shard from its customer jobs, as if calculated after each job. The
 * result does not depend on the times of the checks, and no state is kept between them.
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
  // Without a fixed start, each new first job would get another chance of a false alarm.
  if (crossed !== undefined && unlisted === 'unknown')
    return inconclusive(crossed, limits, 'more jobs ran before than can be counted');
  if (crossed !== undefined) return { kind: 'unhealthy', reason: describe(crossed, limits) };
  const last = counts.at(-1);
  const crossedByAll = counts.find(isTooMany);
  if (crossedByAll !== undefined)
    return inconclusive(
      crossedByAll,
      limits,
      'the other shard had failures at that time, or lacked the same evidence',
    );
  if (last === undefined) return { kind: 'usual', reason: 'no job' };
  const isAsBefore = judgeCount(last, limits) === 'usual';
  // A bound from few jobs is high: failures below it are no evidence against the shard or for it.
  if (isAsBefore && judgeCount(last, rates) === 'too_many')
    return inconclusive(
      last,
      limits,
      'no more than the old shard had, but too many for a good shard',
    );
  if (isAsBefore) return { kind: 'usual', reason: describe(last, limits) };
  const why =
    last.origins.size < 2
      ? `all of one ${ofOneProject ? 'job' : 'project'}, which may be the cause itself`
      : 'too few to exclude chance';
  return inconclusive(last, limits, why);
}

function inconclusive(count: Count, limits: FaultRates, why: string): FaultVerdict {
  return { kind: 'inconclusive', reason: `${describe(count, limits)}; ${why}` };
}

interface Count extends FaultCount {
  readonly first: FinishedJob | undefined;
  /** Projects or jobs that had the failures. */
  readonly origins: ReadonlySet<string>;
}

interface Rules {
  readonly originOf: (job: FinishedJob) => string;
  /** Number of successful jobs before these. */
  readonly since?: number;
  readonly isShared?: (job: FinishedJob) => boolean;
}

/**
 * Counts failures after each job, in the order of their ends. Failures with one cause count once.
 * All failures within a minute count as one cause, because the list does not name the machine. A
 * job that never succeeded here counts once, however often it is retried.
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

/**
 * Returns the end in milliseconds on the registry's clock; 0 without a time, so such jobs count as
 * simultaneous.
 */
export function endOf({ startedAt, durationMs }: FinishedJob): number {
  const end = Date.parse(startedAt ?? '') + (durationMs ?? 0);
  return Number.isNaN(end) ? 0 : end;
}

function isNear(end: number, others: readonly number[]): boolean {
  return others.some((other) => Math.abs(end - other) <= sharedCauseMs);
}

function describe({ faults, jobs, first }: Count, { baseline }: FaultRates): string {
  if (first === undefined) return `no runner system failure in ${jobs} jobs`;
  const often = Math.round(1 / chanceOf(faults, jobs, baseline));
  return `${counted(faults, 'runner system failure')} in ${counted(jobs, 'job')}, for example job ${first.id} "${first.name}" (${first.failureReason}); at the baseline failure rate of ${percent(baseline)}, this happens once in ${often} cases`;
}

function percent(part: number): string {
  return `${Number((part * 100).toPrecision(2))} %`;
}
