import type { FinishedJob, RegistryJob } from '../registration.ts';
import { formatDuration } from '../text/duration.ts';

export interface DrainEstimate {
  /** Milliseconds until the last job with a known duration is expected to end. */
  readonly restMs: number;
  /** Whether every job has a known duration; otherwise `restMs` is a minimum. */
  readonly isWhole: boolean;
}

/**
 * Estimates the rest of a drain from the durations of finished jobs with the same name and project
 * on that shard. Returns undefined if no such job has finished there. A job that already runs
 * longer than all before has no estimate.
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
  const ageMs = ageOf(job, now);
  // The median; for an older job, the next longer duration on record.
  const typical = longerHalf(job, finished).find((ms) => ms >= ageMs);
  return typical === undefined ? undefined : typical - ageMs;
}

/** Times before a usual end that count as near: the last fifth of the duration, and two minutes. */
const nearFraction = 0.2;
const nearMs = 120_000;

/** Expected end of all jobs, in milliseconds. */
export interface UsualEnd {
  /**
   * No end is expected within this time. 0: the end is near or overdue, or no such job ever
   * finished on the shard.
   */
  readonly quietMs: number;
  /**
   * Time until the latest usual end of a job; negative if it has passed, -Infinity if none is
   * known.
   */
  readonly inMs: number;
}

export const noUsualEnd: UsualEnd = { quietMs: 0, inMs: Number.NEGATIVE_INFINITY };

export function usualEndOf(
  jobs: readonly RegistryJob[],
  finished: readonly FinishedJob[],
  now: number,
): UsualEnd {
  const ends = jobs.map((job) => {
    const [usualMs] = longerHalf(job, finished);
    if (usualMs === undefined || job.startedAt === undefined) return noUsualEnd;
    const inMs = usualMs - ageOf(job, now);
    return { quietMs: inMs - Math.max(nearMs, usualMs * nearFraction), inMs };
  });
  return {
    quietMs: Math.max(0, ...ends.map(({ quietMs }) => quietMs)),
    inMs: Math.max(noUsualEnd.inMs, ...ends.map(({ inMs }) => inMs)),
  };
}

/** Returns the median duration of a job, and every longer one in ascending order. */
function longerHalf(job: RegistryJob, finished: readonly FinishedJob[]): readonly number[] {
  const durations = finished
    .filter(({ name, project, status }) => {
      return status === 'success' && name === job.name && project === job.project;
    })
    .flatMap(({ durationMs }) => durationMs ?? [])
    .sort((one, other) => one - other);
  return durations.slice(Math.floor(durations.length / 2));
}

function ageOf({ startedAt }: RegistryJob, now: number): number {
  return startedAt === undefined ? 0 : Math.max(0, now - Date.parse(startedAt));
}

export function describeEstimate(estimate: DrainEstimate | undefined): string {
  if (estimate === undefined) return 'remaining time unknown';
  const { restMs, isWhole } = estimate;
  return `${isWhole ? 'about' : 'at least'} ${formatDuration(restMs)} remaining`;
}
