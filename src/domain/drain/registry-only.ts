import { areSettled } from '../deployment/tally.ts';
import type { RegistryJob } from '../registration.ts';
import type { RegistryTerms } from '../registry-terms.ts';
import { formatDuration } from '../text/duration.ts';
import { reportsNone } from './drain-by-hosts.ts';
import type { DrainObservation, DrainRules, DrainVerdict } from './drain-check.ts';
import { isKeptOpen, whyOthersAreBusy } from './foreign-runner.ts';
import { describeJobs, nameJobs } from './job-text.ts';
import { streakStart } from './streak.ts';

/**
 * The registry lists jobs, and every host reports none: the last update of a job was lost. A runner whose
 * job ignores SIGTERM exits without one (gitlab-runner: `Forceful shutdown not finished properly`).
 */
export interface RegistryOnly {
  /** Empty if the registry reports a job that the token cannot list. */
  readonly jobs: readonly RegistryJob[];
  /** Milliseconds for which both sources have reported this, in this run. */
  readonly forMs: number;
  /** For a poll of the runner at least: the hosts' report is no longer the end of a job on its way. */
  readonly confirmed: boolean;
  /** Whether the last check queried the hosts; a host's earlier report decides nothing. */
  readonly current: boolean;
  /** Whether every runner process has ended. */
  readonly ended: boolean;
}

type RegistryOnlyRules = Pick<DrainRules, 'words' | 'pollOfRunnerMs' | 'managers' | 'counted'>;

/** While the registry reports a job, the hosts are queried every half minute. */
const reportCountsMs = 60_000;

/** `looks` in the order of time; `reason`: what the last one shows. */
export function judgeBusy(
  looks: readonly DrainObservation[],
  reason: string,
  rules: RegistryOnlyRules,
): DrainVerdict {
  const { jobs, others } = looks.at(-1) as DrainObservation;
  if (isKeptOpen(jobs, others)) return { kind: 'busy', reason, jobs, byOther: true };
  const registryOnly = findRegistryOnly(looks, rules);
  if (registryOnly === undefined) return { kind: 'busy', reason, jobs };
  if (areSettled(jobs, rules.counted)) return judgeSettled(registryOnly, rules.words);
  const why = registryOnly.confirmed ? whyRegistryOnly(registryOnly, rules.words) : reason;
  return { kind: 'busy', reason: why, jobs, registryOnly };
}

/** The registry's list decides nothing more about such a job; that no host runs a job is checked again. */
function judgeSettled(registryOnly: RegistryOnly, words: RegistryTerms): DrainVerdict {
  const { jobs, current, ended, confirmed } = registryOnly;
  const reason = `${whyRegistryOnly(registryOnly, words)}, and the drain has counted it as lost before`;
  if (current && (ended || confirmed)) return { kind: 'drained', reason, lost: [] };
  // Not confirmed: the operator was informed when the job was counted.
  return { kind: 'busy', reason, jobs, registryOnly: { ...registryOnly, confirmed: false } };
}

/** `looks` in the order of time. */
export function findRegistryOnly(
  looks: readonly DrainObservation[],
  { words, pollOfRunnerMs, managers = 1 }: RegistryOnlyRules,
): RegistryOnly | undefined {
  const last = looks.at(-1);
  const asked = looks.filter(({ hosts }) => hosts.length > 0);
  const lastReport = asked.at(-1);
  if (last === undefined || lastReport === undefined || last.at - lastReport.at > reportCountsMs)
    return undefined;
  // A host that Systems Manager does not list may run the job.
  if (lastReport.hosts.length < managers) return undefined;
  if (!lastReport.hosts.every(reportsNone) || !isListed(last)) return undefined;
  if (whyOthersAreBusy(last.others, words) !== undefined) return undefined;
  const isSame = (look: DrainObservation) =>
    look.hosts.every(reportsNone) && isListed(look) && last.jobs.every(({ id }) => has(look, id));
  const forMs = last.at - streakStart(asked, isSame);
  return {
    jobs: last.jobs,
    forMs,
    confirmed: forMs >= pollOfRunnerMs,
    current: lastReport === last,
    ended: lastReport.hosts.every(({ kind }) => kind === 'stopped'),
  };
}

/** An assigned job that no runner confirms returns to its queue by itself. */
function isListed({ jobs, registration }: DrainObservation): boolean {
  if (jobs.length > 0) return jobs.every(({ status }) => status !== 'assigned');
  return registration.kind === 'seen' && registration.execution === 'active';
}

function has({ jobs }: DrainObservation, id: string): boolean {
  return jobs.some((job) => job.id === id);
}

/** The same words at each check, so that a wait is printed once. */
function whyRegistryOnly(
  { jobs, ended }: Pick<RegistryOnly, 'jobs' | 'ended'>,
  { registry }: Pick<RegistryTerms, 'registry'>,
): string {
  const [job] = jobs;
  const others = jobs.length > 1 ? ` and ${jobs.length - 1} more` : '';
  const listed =
    job === undefined
      ? `${registry} reports a job that this token cannot list`
      : `${registry} lists job ${job.id} "${job.name}" as ${job.status}${others}`;
  const hosts = ended ? 'every runner process has ended' : 'every host reports no job';
  return `${listed}, but ${hosts}`;
}

interface RegistryLimits {
  readonly registry: string;
  /** Absent if the operator set no `drain.force_after`. */
  readonly forceAfterMs?: number | undefined;
}

/** Since when each job runs, which source decides, and what ends the wait. */
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

/** What an operator does about such jobs, and what happens otherwise. */
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
      : `after drain.force_after (${formatDuration(forceAfterMs)}) the drain goes on and counts it as lost`;
  return `${act} ${which} in ${registry}, or wait: ${otherwise}`;
}

/** A job that a drain leaves behind because an operator set `drain.force_after`. */
export function describeDropped({ id, name, project, status, url }: RegistryJob, registry: string) {
  const address = url === '' ? '' : ` (${url})`;
  return `Lost: ${registry} still lists job ${id} "${name}" of ${project} as ${status}, and no host runs it; it will be dropped${address}.`;
}

/** A job whose end nothing reports; an earlier run has left its id alone. */
export type UnendedJob = Pick<RegistryJob, 'id'> &
  Partial<Pick<RegistryJob, 'name' | 'project' | 'url'>>;

/** What a drain that an operator ends by `drain.force_after` leaves behind without a report of its end. */
export function formatUnended(jobs: readonly UnendedJob[], registry: string): readonly string[] {
  return nameJobs(jobs, ({ id, name, project, url = '' }) => {
    const label = name === undefined ? '' : ` "${name}" of ${project}`;
    const address = url === '' ? '' : ` (${url})`;
    return `${registry} listed job ${id}${label} as running, and lists it no longer${address}`;
  }).map((job) => `Not seen to end: ${job}.`);
}
