import type { RegistryJob } from '../registration.ts';
import { counted } from '../text/count-text.ts';
import { formatDuration } from '../text/duration.ts';

/** One job that a drain waits for, with its age and where to look at it. */
export function describeJob({ id, name, project, status, ...job }: RegistryJob, now: number) {
  const words = `job ${id} "${name}" of ${project}, ${status}${ageOf(status, job.startedAt, now)}`;
  return hasAddress(job) ? `${words}: ${job.url}` : words;
}

/** Names ten jobs and counts the others. */
export function nameJobs<T>(jobs: readonly T[], nameOf: (job: T) => string): readonly string[] {
  const named = jobs.slice(0, mostNamed).map(nameOf);
  const beyond = jobs.length - named.length;
  return beyond > 0 ? [...named, counted(beyond, 'more job')] : named;
}

export function describeJobs(jobs: readonly RegistryJob[], now: number): readonly string[] {
  return nameJobs(jobs, (job) => describeJob(job, now));
}

const mostNamed = 10;

/** One job whose host is gone while the registry, as it is called, goes on believing in it. */
export function describeLost({ id, name, project, status, ...job }: RegistryJob, registry: string) {
  const words = `Lost: ${registry} still believes that job ${id} "${name}" of ${project} is ${status}; its host is gone`;
  return hasAddress(job) ? `${words} (${job.url}).` : `${words}.`;
}

function ageOf(status: string, startedAt: string | undefined, now: number): string {
  if (startedAt !== undefined) return ` for ${formatDuration(now - Date.parse(startedAt))}`;
  return status === 'assigned' ? ' not started' : ', since when is not known';
}

/** A registry that says no more than that a runner is busy has no address of its job. */
function hasAddress({ url }: Pick<RegistryJob, 'url'>): boolean {
  return url !== '';
}
