import type { RegistryJob } from '../registration.ts';
import { isAlone, type Phase } from './stages-and-steps.ts';

/** What a deployment costs its customers, as far as it was seen. What is absent is unknown, never zero. */
export interface Tally {
  /** ISO 8601, our own clock: since when both shards exist. Absent while one does not. */
  readonly twoShardsSince?: string;
  /** Milliseconds with both shards before that, with candidates that were taken back. */
  readonly twoShardsMs: number;
  readonly drain?: DrainTally;
}

/** Of every shard that this deployment drains: the retiring one, and candidates on their way back. */
export interface DrainTally {
  /** ISO 8601, our own clock: the first look at it. */
  readonly since: string;
  /** Ids of customers' jobs that GitLab said ran there since. The record keeps the first ones only. */
  readonly seen: readonly string[];
  /** How many more an earlier run has seen, at least. */
  readonly seenBeyond: number;
  /** Whether the runner or its host told of jobs that GitLab does not show to this token. */
  readonly hidden: boolean;
  /** Whether a drain was proven since the last job was seen: only then have the others finished. */
  readonly settled: boolean;
  readonly broken: readonly BrokenJob[];
  readonly brokenBeyond: number;
  /**
   * Milliseconds: GitLab's longest `queued_duration` of the jobs of both shards that started after the
   * deployment did, out of the newest hundred of each state. 0 if none did.
   */
  readonly longestWaitMs?: number;
  /** ISO 8601, our own clock: when the last of its jobs is likely to end. */
  readonly expectedAt?: string;
  readonly timeout?: LimitChoice;
  readonly forceAfter?: LimitChoice;
}

export interface BrokenJob {
  readonly id: string;
  readonly why: BrokenWhy;
  readonly url?: string;
}

/**
 * By `drain.force_after`; its host was gone; every process had ended and GitLab still listed it; GitLab
 * says that its runner failed it; or its listener was ended or its runner removed by us, and a job was
 * seen there after it.
 */
export const brokenWhys = [
  'killed',
  'host_gone',
  'registry_only',
  'runner_failed',
  'ended_by_us',
] as const;
export type BrokenWhy = (typeof brokenWhys)[number];
/** Of a job that the registry still lists at the end of a drain. */
export type LostWhy = Extract<BrokenWhy, 'host_gone' | 'registry_only'>;

/** A limit is a person's explicit choice: which one, where it was written, and whose run it was. */
export interface LimitChoice {
  readonly ms: number;
  readonly from: string;
  readonly by: string;
  readonly job: string;
}

/** Of the ids that the record keeps: it has 4 KB for everything. */
const mostSeen = 40;
const mostBroken = 5;
const longestUrl = 160;

export const emptyTally: Tally = { twoShardsMs: 0 };

export function beginDrainTally(at: string): DrainTally {
  return {
    since: at,
    seen: [],
    seenBeyond: 0,
    hidden: false,
    settled: false,
    broken: [],
    brokenBeyond: 0,
  };
}

/** The same object if nothing new was seen, so that nothing is written. */
export function withJobs(tally: DrainTally, ids: readonly string[]): DrainTally {
  const fresh = ids.filter((id) => !tally.seen.includes(id));
  // Without its id, a job that is reported again cannot be told from a new one.
  if (fresh.length <= tally.seenBeyond) return tally;
  if (tally.seenBeyond > 0) return { ...tally, settled: false, seenBeyond: fresh.length };
  return { ...tally, settled: false, seen: [...tally.seen, ...fresh] };
}

export function withBroken(
  tally: DrainTally,
  jobs: readonly Pick<RegistryJob, 'id' | 'url'>[],
  why: BrokenWhy,
): DrainTally {
  const fresh = jobs.filter(({ id }) => !tally.broken.some((one) => one.id === id));
  if (fresh.length === 0) return tally;
  const noted = fresh.map(({ id, url }): BrokenJob => {
    return { id, why, ...(url === '' || url.length > longestUrl ? {} : { url }) };
  });
  const tallied =
    tally.brokenBeyond === 0
      ? { ...tally, broken: [...tally.broken, ...noted] }
      : // Without its id, a job that is reported again cannot be told from a new one.
        { ...tally, brokenBeyond: Math.max(tally.brokenBeyond, fresh.length) };
  return withJobs(
    tallied,
    fresh.map(({ id }) => id),
  );
}

/** As the record keeps it: a later run has the first ids, and the number of the others. */
export function withKeptIds(tally: DrainTally): DrainTally {
  const { seen, seenBeyond, broken, brokenBeyond } = tally;
  return {
    ...tally,
    seen: seen.slice(0, mostSeen),
    seenBeyond: seenBeyond + Math.max(0, seen.length - mostSeen),
    broken: broken.slice(0, mostBroken),
    brokenBeyond: brokenBeyond + Math.max(0, broken.length - mostBroken),
  };
}

/** Of jobs that nothing reports any more. One that a kill was noted for before did not end by it, as far as the registry reports. */
export function withLost(
  tally: DrainTally,
  jobs: readonly Pick<RegistryJob, 'id' | 'url'>[],
  why: LostWhy,
): DrainTally {
  const isLost = ({ id }: BrokenJob) => jobs.some((job) => job.id === id);
  const broken = tally.broken.map((one) =>
    one.why === 'killed' && isLost(one) ? { ...one, why } : one,
  );
  return withBroken({ ...tally, broken }, jobs, why);
}

/** What a drain before has counted as lost. */
export type CountedJobs = Pick<DrainTally, 'broken'> &
  Partial<Pick<DrainTally, 'seen' | 'settled' | 'brokenBeyond'>>;

/**
 * Whether a drain before has counted each of `jobs` as lost according to the registry. The record names the
 * first ones; of the others it has the number, and no job is among them that the drain did not see.
 */
export function areSettled(
  jobs: readonly Pick<RegistryJob, 'id'>[],
  drain: CountedJobs | undefined,
): boolean {
  const { broken = [], seen = [], settled = false, brokenBeyond = 0 } = drain ?? {};
  const unnamed = jobs.filter(({ id }) => !broken.some((one) => one.id === id));
  const isSettled = ({ id }: Pick<RegistryJob, 'id'>) =>
    unnamed.some((one) => one.id === id)
      ? seen.includes(id)
      : broken.some((one) => one.id === id && one.why === 'registry_only');
  const isCounted = unnamed.length === 0 || (settled && unnamed.length <= brokenBeyond);
  return jobs.length > 0 && isCounted && jobs.every(isSettled);
}

/** Seen after the drain was proven: what was counted until then stays so. */
export function withKilledJob(tally: DrainTally, id: string): DrainTally {
  const { settled } = tally;
  return { ...withBroken(tally, [{ id, url: '' }], 'ended_by_us'), settled };
}

/** The time with two shards begins with the first piece of the candidate and ends with the last of either. */
export function tallyPhase(
  before: Tally | undefined,
  { phase, at, hasRetiring }: { phase: Phase; at: string; hasRetiring: boolean },
): Tally | undefined {
  if (!hasRetiring) return before;
  const { twoShardsSince: since, ...rest } = before ?? emptyTally;
  if (phase === 'applying' && since === undefined) return { ...rest, twoShardsSince: at };
  if (since === undefined || !isAlone(phase)) return before;
  return { ...rest, twoShardsMs: rest.twoShardsMs + millisecondsBetween(since, at) };
}

export function millisecondsBetween(from: string, to: string): number {
  return Math.max(0, Date.parse(to) - Date.parse(from)) || 0;
}
