import type { WaitingJob, WaitingJobs } from '../registration.ts';
import { formatDuration } from '../text/duration.ts';
import type { SignalReading } from './judge-bake.ts';

/**
 * Waiting and started jobs that one process has observed; times are milliseconds of a monotonic
 * clock.
 */
export interface WaitMemory {
  readonly firstCheckAt: number;
  /** Waits by job id. */
  readonly waiting: ReadonlyMap<string, Wait>;
  /** Ids of jobs that started on the promoted shard. */
  readonly begun: ReadonlySet<string>;
  /**
   * Time of the check that last found a newly started job; absent if none started since the first
   * check.
   */
  readonly lastBegunAt?: number;
}

interface Wait {
  readonly job: WaitingJob;
  readonly seenAt: number;
}

export interface WaitCheck {
  readonly at: number;
  readonly waiting: readonly WaitingJob[];
  /** Ids of the listed jobs that run or ran on the promoted shard. */
  readonly begun: readonly string[];
  readonly unread: WaitingJobs['unread'];
}

/** Adds a check to the memory. Jobs of a project that could not be read count as still waiting. */
export function rememberWaits(before: WaitMemory | undefined, check: WaitCheck): WaitMemory {
  const { at, waiting, begun, unread } = check;
  const seen = new Map<string, Wait>();
  for (const job of waiting)
    seen.set(job.id, { job, seenAt: before?.waiting.get(job.id)?.seenAt ?? at });
  const unreadable = new Set(unread.map(({ project }) => project));
  const started = new Set(begun);
  for (const [id, wait] of before?.waiting ?? [])
    if (unreadable.has(wait.job.project) && !started.has(id)) seen.set(id, wait);
  const isNew = before !== undefined && begun.some((id) => !before.begun.has(id));
  const lastBegunAt = isNew ? at : before?.lastBegunAt;
  return {
    firstCheckAt: before?.firstCheckAt ?? at,
    waiting: seen,
    begun: new Set([...(before?.begun ?? []), ...begun]),
    ...(lastBegunAt === undefined ? {} : { lastBegunAt }),
  };
}

export type StarvationReading = Pick<SignalReading, 'value' | 'detail'> & {
  /** The job that has waited longest; present only if the reading is bad. */
  readonly job?: WaitingJob;
};

/**
 * Finds jobs that wait while the promoted shard starts none. A wait counts from the first check
 * that found it, or from the last job start on the shard. A shard that starts one job after another
 * is slow, but starves no job. Running jobs may occupy the whole shard.
 */
export function judgeStarvation({
  memory,
  at,
  limitMs,
  running,
}: {
  readonly memory: WaitMemory;
  readonly at: number;
  /** Value of `bake.signals.starvation`. */
  readonly limitMs: number;
  /** Number of customer jobs that run on the shard now. */
  readonly running: number;
}): StarvationReading {
  const from = ({ seenAt }: Wait) => Math.max(seenAt, memory.lastBegunAt ?? seenAt);
  const waits = [...memory.waiting.values()];
  const [longest] = waits.sort((one, other) => from(one) - from(other));
  if (longest === undefined) return { value: 'good', detail: 'no job with its tags waits' };
  const { job } = longest;
  const waitedMs = at - from(longest);
  const jobs = waits.length === 1 ? '1 job waits' : `${waits.length} jobs wait`;
  const detail = `${jobs}, job ${job.id} "${job.name}" of ${job.project} for ${formatDuration(waitedMs)} while none started on the new shard`;
  if (waitedMs < limitMs) {
    // A job that already waited at the first check may have waited for hours.
    if (from(longest) > memory.firstCheckAt) return { value: 'good', detail };
    const note = `it may have waited longer (allowed: ${formatDuration(limitMs)})`;
    return { value: 'unknown', detail: `${detail}; ${note}` };
  }
  if (running > 0) {
    const busy = running === 1 ? '1 job runs' : `${running} jobs run`;
    return {
      value: 'unknown',
      detail: `${detail}; ${busy} on the new shard and may use its full capacity`,
    };
  }
  return { value: 'bad', detail, job };
}
