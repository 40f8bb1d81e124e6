import type { FinishedJob, RegistryJob } from '../registration.ts';
import { formatDuration } from '../text/duration.ts';

export interface DrainEstimate {
  /** Milliseconds from now until the last job that can be told of has ended. */
  readonly restMs: number;
  /** Whether every job could be told of; otherwise it takes at least that long. */
  readonly isWhole: boolean;
}

/**
 * The rest of a drain, by how long jobs of the same name and project took on that shard. Undefined
 * where none of them ever ended there. A job that already takes longer than all before is not told of.
 */
export function estimateDrain(
  jobs: readonly RegistryJob[],
  finished: readonly FinishedJob[],
  now: number,
): DrainEstimate | undefined {
  const rests = jobs.map((job) => restOf(job, finished, now));
  const known = rests.filter((rest) => rest !== undefined);
  if (known.length === 0) return undefined;
  return { restMs: Math.max(...known), isWhole: known.length === rests.length };
}

function restOf(
  job: RegistryJob,
  finished: readonly FinishedJob[],
  now: number,
): number | undefined {
  const durations = finished
    .filter(({ name, project, status }) => {
      return status === 'success' && name === job.name && project === job.project;
    })
    .flatMap(({ durationMs }) => durationMs ?? [])
    .sort((one, other) => one - other);
  const ageMs = job.startedAt === undefined ? 0 : Math.max(0, now - Date.parse(job.startedAt));
  // The median; past it, the next longer one that was ever seen.
  const typical = durations.slice(Math.floor(durations.length / 2)).find((ms) => ms >= ageMs);
  return typical === undefined ? undefined : typical - ageMs;
}

export function describeEstimate(estimate: DrainEstimate | undefined): string {
  if (estimate === undefined) return 'how long is not known';
  const { restMs, isWhole } = estimate;
  return `${isWhole ? 'about' : 'at least'} ${formatDuration(restMs)} to go`;
}
