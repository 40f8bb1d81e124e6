import type { WaitingJob, WaitingJobs } from '../registration.ts';
import { formatDuration } from '../text/duration.ts';
import type { SignalReading } from './judge-bake.ts';

/** What one process has seen wait and begin; moments are milliseconds of a monotonic clock. */
export interface WaitMemory {
  readonly firstCheckAt: number;
  /** By the id of the job. */
  readonly waiting: ReadonlyMap<string, Wait>;
  /** Jobs that have begun on the promoted shard. */
  readonly begun: ReadonlySet<string>;
  /** When it was seen that one more had begun; absent: none has since the first look. */
  readonly lastBegunAt?: number;
}

interface Wait {
  readonly job: WaitingJob;
  readonly seenAt: number;
}

export interface WaitCheck {
  readonly at: number;
  readonly waiting: readonly WaitingJob[];
  /** Ids of all that runs or has run on the promoted shard, as far as it is listed. */
  readonly begun: readonly string[];
  readonly unread: WaitingJobs['unread'];
}

/** Of a project that could not be read this time, what waited there before is taken to wait still. */
export function rememberWaits(before: WaitMemory | undefined, look: WaitCheck): WaitMemory {
  const { at, waiting, begun, unread } = look;
  const seen = new Map<string, Wait>();
  for (const job of waiting)
    seen.set(job.id, { job, seenAt: before?.waiting.get(job.id)?.seenAt ?? at });
  const silent = new Set(unread.map(({ project }) => project));
  const started = new Set(begun);
  for (const [id, wait] of before?.waiting ?? [])
    if (silent.has(wait.job.project) && !started.has(id)) seen.set(id, wait);
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
  /** The one that has waited longest; only where it is bad. */
  readonly job?: WaitingJob;
};

/**
 * Jobs that wait while the promoted shard starts none. A wait is counted by our own looks, from when
 * it was first seen or from the last job that began there: a shard that takes one job after the other
 * is slow, and starves nobody. Where jobs run there, they may fill it.
 */
export function judgeStarvation({
  memory,
  at,
  limitMs,
  running,
}: {
  readonly memory: WaitMemory;
  readonly at: number;
  /** `bake.signals.starvation`. */
  readonly limitMs: number;
  /** Customers' jobs that run there now. */
  readonly running: number;
}): StarvationReading {
  const from = ({ seenAt }: Wait) => Math.max(seenAt, memory.lastBegunAt ?? seenAt);
  const waits = [...memory.waiting.values()];
  const [longest] = waits.sort((one, other) => from(one) - from(other));
  if (longest === undefined) return { value: 'good', detail: 'no job with its tags waits' };
  const { job } = longest;
  const waitedMs = at - from(longest);
  const jobs = waits.length === 1 ? '1 job waits' : `${waits.length} jobs wait`;
  const detail = `${jobs}, job ${job.id} "${job.name}" of ${job.project} for ${formatDuration(waitedMs)} while none began there`;
  if (waitedMs < limitMs) {
    // What waited already at our first look may have waited for hours.
    if (from(longest) > memory.firstCheckAt) return { value: 'good', detail };
    const looked = `it is looked at for no longer, and ${formatDuration(limitMs)} are allowed`;
    return { value: 'unknown', detail: `${detail}; ${looked}` };
  }
  if (running > 0) {
    const busy = running === 1 ? '1 job runs' : `${running} jobs run`;
    return { value: 'unknown', detail: `${detail}; ${busy} there and may fill it` };
  }
  return { value: 'bad', detail, job };
}
