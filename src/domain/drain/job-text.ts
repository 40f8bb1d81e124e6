import type { RegistryJob } from '../registration.ts';
import { counted } from '../text/count-text.ts';
import { formatDuration } from '../text/duration.ts';

/** Formats one job that a drain waits for, with its age and URL. */
export function describeJob({ id, name, project, status, ...job }: RegistryJob, now: number) {
  const words = `job ${id} "${name}" of ${project}, ${status}${ageOf(status, job.startedAt, now)}`;
  return hasAddress(job) ? `${words}: ${job.url}` : words;
}

/** Names the first job and counts the others: `job 9 "build" and 2 more`. */
export function nameFirstJob(jobs: readonly RegistryJob[]): string {
  const [first] = jobs;
  const others = jobs.length > 1 ? ` and ${jobs.length - 1} more` : '';
  return `job ${first?.id} "${first?.name}"${others}`;
}

/** Lists the different statuses of jobs: `running or canceling`. */
export function listStatuses(jobs: readonly RegistryJob[]): string {
  return [...new Set(jobs.map(({ status }) => status))].join(' or ');
}

/** Names ten jobs and counts the rest. */
export function nameJobs<T>(jobs: readonly T[], nameOf: (job: T) => string): readonly string[] {
  const named = jobs.slice(0, mostNamed).map(nameOf);
  const beyond = jobs.length - named.length;
  return beyond > 0 ? [...named, counted(beyond, 'more job')] : named;
}

export function describeJobs(jobs: readonly RegistryJob[], now: number): readonly string[] {
  return nameJobs(jobs, (job) => describeJob(job, now));
}

const mostNamed = 10;

/** Formats a job whose host no longer exists while the registry still reports it. */
export function describeLost({ id, name, project, status, ...job }: RegistryJob, registry: string) {
  const words = `Lost: ${registry} still reports job ${id} "${name}" of ${project} as ${status}, but its host no longer exists`;
  return hasAddress(job) ? `${words} (${job.url}).` : `${words}.`;
}

function ageOf(status: string, startedAt: string | undefined, now: number): string {
  if (startedAt !== undefined) return ` for ${formatDuration(now - Date.parse(startedAt))}`;
  return status === 'assigned' ? ' not started' : ', start time unknown';
}

/**
 * Returns whether the job has a URL. A registry that reports only that a runner is busy has none.
 */
function hasAddress({ url }: Pick<RegistryJob, 'url'>): boolean {
  return url !== '';
}
