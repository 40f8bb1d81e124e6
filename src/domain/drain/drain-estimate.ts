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
  const ageMs = ageOf(job, now);
  // The median; past it, the next longer one that was ever seen.
  const typical = longerHalf(job, finished).find((ms) => ms >= ageMs);
  return typical === undefined ? undefined : typical - ageMs;
}

/** The end of a job is near in the last fifth of its usual duration, and in the last two minutes. */
const nearFraction = 0.2;
const nearMs = 120_000;

/** When the end of all jobs is expected, in milliseconds. */
export interface UsualEnd {
  /** For so long no end is expected. 0: it is near or has passed, or no such job ever ended on the shard. */
  readonly quietMs: number;
  /** Until the usual end of the job that usually ends last; negative if that has passed, -Infinity if none is known. */
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

/** The median of how long the same job took, and every longer time in ascending order. */
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
  if (estimate === undefined) return 'how long is not known';
  const { restMs, isWhole } = estimate;
  return `${isWhole ? 'about' : 'at least'} ${formatDuration(restMs)} to go`;
}
