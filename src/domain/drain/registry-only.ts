import { areSettled } from '../deployment/tally.ts';
import type { RegistryJob } from '../registration.ts';
import type { RegistryTerms } from '../registry-terms.ts';
import { formatDuration } from '../text/duration.ts';
import { reportsNone } from './drain-by-hosts.ts';
import type { DrainObservation, DrainRules, DrainVerdict } from './drain-check.ts';
import { isKeptOpen, whyOthersAreBusy } from './foreign-runner.ts';
import { describeJobs, listStatuses, nameFirstJob, nameJobs } from './job-text.ts';
import { streakStart } from './streak.ts';

/**
 * Jobs that the registry lists although every host reports none: the final update of a job was
 * lost. A runner whose job ignores SIGTERM exits without that update (gitlab-runner: `Forceful
 * shutdown not finished properly`).
 */
export interface RegistryOnly {
  /** Listed jobs; empty if the registry reports a job that the token cannot list. */
  readonly jobs: readonly RegistryJob[];
  /** Milliseconds for which both sources have reported this, in this run. */
  readonly forMs: number;
  /**
   * Whether both sources agreed for at least one poll of the runner: a job that just ended would
   * have been reported by then.
   */
  readonly confirmed: boolean;
  /** Whether the last check queried the hosts. An earlier report of a host decides nothing. */
  readonly current: boolean;
  /** Whether every runner process has ended. */
  readonly ended: boolean;
}

type RegistryOnlyRules = Pick<DrainRules, 'words' | 'pollOfRunnerMs' | 'managers' | 'counted'>;

/**
 * Maximum age of the hosts' last report. While the registry lists a job, they are queried every
 * half minute.
 */
const reportCountsMs = 60_000;

/**
 * Returns the verdict on a busy shard. `looks` are in order of time; `reason` describes the last
 * one.
 */
export function judgeBusy(
  checks: readonly DrainObservation[],
  reason: string,
  rules: RegistryOnlyRules,
): DrainVerdict {
  const { jobs, others } = checks.at(-1) as DrainObservation;
  if (isKeptOpen(jobs, others)) return { kind: 'busy', reason, jobs, byOther: true };
  const registryOnly = findRegistryOnly(checks, rules);
  if (registryOnly === undefined) return { kind: 'busy', reason, jobs };
  if (areSettled(jobs, rules.counted)) return judgeSettled(registryOnly, rules.words);
  const why = registryOnly.confirmed ? whyRegistryOnly(registryOnly, rules.words) : reason;
  return { kind: 'busy', reason: why, jobs, registryOnly };
}

/**
 * Decides about jobs that were already counted as lost: the registry's list no longer matters, but
 * the hosts must report no job again.
 */
function judgeSettled(registryOnly: RegistryOnly, words: RegistryTerms): DrainVerdict {
  const { jobs, current, ended, confirmed } = registryOnly;
  const reason = `${whyRegistryOnly(registryOnly, words)}, and the drain already counted it as lost`;
  if (current && (ended || confirmed)) return { kind: 'drained', reason, lost: [] };
  // Not confirmed: the operator was informed when the job was counted.
  return { kind: 'busy', reason, jobs, registryOnly: { ...registryOnly, confirmed: false } };
}

/** Finds jobs that only the registry reports. `looks` are in order of time. */
export function findRegistryOnly(
  checks: readonly DrainObservation[],
  { words, pollOfRunnerMs, managers = 1 }: RegistryOnlyRules,
): RegistryOnly | undefined {
  const last = checks.at(-1);
  const hostChecks = checks.filter(({ hosts }) => hosts.length > 0);
  const lastReport = hostChecks.at(-1);
  if (last === undefined || lastReport === undefined || last.at - lastReport.at > reportCountsMs)
    return undefined;
  // A host that Systems Manager does not list may run the job.
  if (lastReport.hosts.length < managers) return undefined;
  if (!lastReport.hosts.every(reportsNone) || !isListed(last)) return undefined;
  if (whyOthersAreBusy(last.others, words) !== undefined) return undefined;
  const isSame = (check: DrainObservation) =>
    check.hosts.every(reportsNone) &&
    isListed(check) &&
    last.jobs.every(({ id }) => has(check, id));
  const forMs = last.at - streakStart(hostChecks, isSame);
  return {
    jobs: last.jobs,
    forMs,
    confirmed: forMs >= pollOfRunnerMs,
    current: lastReport === last,
    ended: lastReport.hosts.every(({ kind }) => kind === 'stopped'),
  };
}

/**
 * Returns whether the registry reports a started job: an assigned job without a confirmation
 * returns to its queue by itself.
 */
function isListed({ jobs, registration }: DrainObservation): boolean {
  if (jobs.length > 0) return jobs.every(({ status }) => status !== 'assigned');
  return registration.kind === 'seen' && registration.execution === 'active';
}

function has({ jobs }: DrainObservation, id: string): boolean {
  return jobs.some((job) => job.id === id);
}

/** Returns an identical text at each check: a wait is then printed once. */
function whyRegistryOnly(
  { jobs, ended }: Pick<RegistryOnly, 'jobs' | 'ended'>,
  { registry }: Pick<RegistryTerms, 'registry'>,
): string {
  const [job] = jobs;
  const listed =
    job === undefined
      ? `${registry} reports a job that this token cannot list`
      : `${registry} lists ${nameFirstJob(jobs)} as ${listStatuses(jobs)}`;
  const hosts = ended ? 'every runner process has ended' : 'every host reports no job';
  return `${listed}, but ${hosts}`;
}

interface RegistryLimits {
  readonly registry: string;
  /** Value of `drain.force_after`, if the operator set it. */
  readonly forceAfterMs?: number | undefined;
}

/** Formats the start of each job, the deciding source, and the end of the wait. */
export function formatRegistryOnly(
  { jobs }: Pick<RegistryOnly, 'jobs'>,
  { registry, now, forceAfterMs }: RegistryLimits & { readonly now: number },
): readonly string[] {
  const decides =
    forceAfterMs === undefined
      ? `${registry} decides, so the drain waits`
      : `${registry} decides until drain.force_after has passed`;
  return [
    ...describeJobs(jobs, now).map((job) => `Only in ${registry}: ${job}.`),
    `${decides}. ${endRegistryOnly(jobs, { registry, forceAfterMs })}.`,
  ];
}

/** Formats the operator's action for such jobs, and the result without it. */
export function endRegistryOnly(
  jobs: readonly Pick<RegistryJob, 'id' | 'status' | 'url'>[],
  { registry, forceAfterMs }: RegistryLimits,
): string {
  const isCanceling = jobs.length > 0 && jobs.every(({ status }) => status === 'canceling');
  const act = isCanceling ? 'Force the cancellation of' : 'Cancel';
  const named = nameJobs(jobs, ({ id, url }) => (url === '' ? `job ${id}` : url));
  const which = named.length === 0 ? 'the job' : named.join(', ');
  const otherwise =
    forceAfterMs === undefined
      ? `${registry} drops a job an hour after its last update`
      : `after drain.force_after (${formatDuration(forceAfterMs)}) the drain continues and counts it as lost`;
  return `${act} ${which} in ${registry}, or wait: ${otherwise}`;
}

/** Formats a job that a drain leaves behind because an operator set `drain.force_after`. */
export function describeDropped({ id, name, project, status, url }: RegistryJob, registry: string) {
  const address = url === '' ? '' : ` (${url})`;
  return `Lost: ${registry} still lists job ${id} "${name}" of ${project} as ${status}, but no host runs it; it will be dropped${address}.`;
}

/** A job without any report of its end; an earlier run has stored only its id. */
export type UnendedJob = Pick<RegistryJob, 'id'> &
  Partial<Pick<RegistryJob, 'name' | 'project' | 'url'>>;

/**
 * Lists the jobs that a drain leaves behind without a report of their end after
 * `drain.force_after`.
 */
export function formatUnended(jobs: readonly UnendedJob[], registry: string): readonly string[] {
  return nameJobs(jobs, ({ id, name, project, url = '' }) => {
    const label = name === undefined ? '' : ` "${name}" of ${project}`;
    const address = url === '' ? '' : ` (${url})`;
    return `${registry} listed job ${id}${label} as running and no longer lists it${address}`;
  }).map((job) => `Unknown end: ${job}.`);
}
