import type { RegistryJob } from '../registration.ts';
import { isAlone, type Phase } from './stages-and-steps.ts';

/** Observed effects of a deployment on customers. An absent value is unknown, never zero. */
export interface Tally {
  /** ISO 8601, hosted-runner's clock: since when both shards exist. Absent while only one does. */
  readonly twoShardsSince?: string;
  /** Earlier milliseconds with both shards, from candidates in retreat. */
  readonly twoShardsMs: number;
  readonly drain?: DrainTally;
}

/**
 * Counts of all shards that this deployment drains: the retiring one, and candidates in retreat.
 */
export interface DrainTally {
  /** ISO 8601, hosted-runner's clock: the first check. */
  readonly since: string;
  /**
   * Ids of the customer jobs that GitLab listed there since. The record keeps only the first ones.
   */
  readonly seen: readonly string[];
  /** Minimum number of further jobs that earlier runs have seen. */
  readonly seenBeyond: number;
  /** Whether the runner or its host reported jobs that this token cannot see. */
  readonly hidden: boolean;
  /**
   * Whether a drain was proven after the last seen job: only then have the other jobs finished.
   */
  readonly settled: boolean;
  readonly broken: readonly BrokenJob[];
  readonly brokenBeyond: number;
  /**
   * Milliseconds: GitLab's longest `queued_duration` among jobs of both shards that started after
   * the deployment. It covers the newest hundred of each state. 0 if no job started.
   */
  readonly longestWaitMs?: number;
  /** ISO 8601, hosted-runner's clock: expected end of the last job. */
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
 * Reasons why a job was broken.
 * `killed`: by `drain.force_after`.
 * `host_gone`: its host no longer existed.
 * `registry_only`: every process had ended, and GitLab still listed the job.
 * `runner_failed`: GitLab reports that its runner failed it.
 * `ended_by_us`: seen after hosted-runner had ended its listener or removed its runner.
 */
export const brokenWhys = [
  'killed',
  'host_gone',
  'registry_only',
  'runner_failed',
  'ended_by_us',
] as const;
export type BrokenWhy = (typeof brokenWhys)[number];
/** Reason for a job that the registry still lists at the end of a drain. */
export type LostWhy = Extract<BrokenWhy, 'host_gone' | 'registry_only'>;

/** Limit that an operator chose: its value, its source, and the run. */
export interface LimitChoice {
  readonly ms: number;
  readonly from: string;
  readonly by: string;
  readonly job: string;
}

/** Maximum number of ids in the record, which has 4 KB in total. */
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

/** Adds jobs. Returns the identical object if none is new: nothing is then written. */
export function withJobs(tally: DrainTally, ids: readonly string[]): DrainTally {
  const fresh = ids.filter((id) => !tally.seen.includes(id));
  // Without its id, a job that is reported again cannot be distinguished from a new one.
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

/**
 * Limits the ids as the record stores them: a later run gets the first ids and the number of the
 * rest.
 */
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

/**
 * Adds jobs without a further report. A job noted as killed changes its reason: no report shows
 * that the kill ended it.
 */
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

/** Jobs that an earlier drain has counted as lost. */
export type CountedJobs = Pick<DrainTally, 'broken'> &
  Partial<Pick<DrainTally, 'seen' | 'settled' | 'brokenBeyond'>>;

/**
 * Returns whether an earlier drain has counted each of `jobs` as lost according to the registry.
 * The record names the first jobs and has the number of the others, which that drain had seen as
 * well.
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

/** Adds a job that was seen after the drain was proven: earlier counts stay settled. */
export function withKilledJob(tally: DrainTally, id: string): DrainTally {
  const { settled } = tally;
  return { ...withBroken(tally, [{ id, url: '' }], 'ended_by_us'), settled };
}

/**
 * Measures the time with two shards: from the candidate's first resource to the last of either
 * shard.
 */
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
