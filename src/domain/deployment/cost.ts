import { counted } from '../text/count-text.ts';
import { formatDuration } from '../text/duration.ts';
import type { Deployment } from './record.ts';
import { type BrokenJob, millisecondsBetween, withKeptIds } from './tally.ts';

/** What a deployment cost its customers, for people and for later jobs. */
export interface DeploymentCost {
  /** Customers' jobs that ran on a shard while it drained, and ended as jobs do. Source: GitLab's list of the runner's jobs. */
  readonly jobsFinished: number | 'unknown';
  /** Killed by `drain.force_after`, gone with their host, failed by their runner, or cut off by us. Sources: GitLab, the host, EC2. */
  readonly jobsBroken: number | 'unknown';
  /** More jobs were seen than the record keeps ids of, so a later run may count one of them twice. */
  readonly jobsFinishedAtLeast?: true;
  /** The same of those that were broken. */
  readonly jobsBrokenAtLeast?: true;
  /** The first of those that were broken. */
  readonly broken: readonly BrokenJob[];
  /** Seconds, 0 if no job waited. Source: GitLab's `queued_duration`. */
  readonly longestWaitSeconds: number | 'unknown';
  /** Seconds by our own clock, from the first apply to the proof that nothing of the old shard is left. */
  readonly twoShardsSeconds: number | 'unknown';
}

/** `now` counts where both shards still exist. */
export function costOf(deployment: Deployment, now: string): DeploymentCost {
  return { ...jobsOf(deployment), ...timesOf(deployment, now) };
}

type JobCounts = Omit<DeploymentCost, 'longestWaitSeconds' | 'twoShardsSeconds'>;

function jobsOf({ retiring, tally }: Deployment): JobCounts {
  const { drain } = tally ?? {};
  if (retiring === undefined && drain === undefined)
    return { jobsFinished: 0, jobsBroken: 0, broken: [] };
  if (drain === undefined) return { jobsFinished: 'unknown', jobsBroken: 'unknown', broken: [] };
  // As a later run reads it, so that each run gives the same numbers.
  const { seen, seenBeyond, hidden, settled, broken, brokenBeyond } = withKeptIds(drain);
  if (hidden || !settled) return { jobsFinished: 'unknown', jobsBroken: 'unknown', broken };
  const count = broken.length + brokenBeyond;
  return {
    jobsFinished: Math.max(0, seen.length + seenBeyond - count),
    jobsBroken: count,
    ...(seenBeyond > 0 ? { jobsFinishedAtLeast: true } : {}),
    ...(brokenBeyond > 0 ? { jobsBrokenAtLeast: true } : {}),
    broken,
  };
}

function timesOf(
  { retiring, tally }: Deployment,
  now: string,
): Pick<DeploymentCost, 'longestWaitSeconds' | 'twoShardsSeconds'> {
  const { drain, twoShardsMs = 0, twoShardsSince } = tally ?? {};
  const runningMs = twoShardsSince === undefined ? 0 : millisecondsBetween(twoShardsSince, now);
  const isSeen = retiring === undefined || tally !== undefined;
  return {
    longestWaitSeconds: inSeconds(drain?.longestWaitMs),
    twoShardsSeconds: isSeen ? inSeconds(twoShardsMs + runningMs) : 'unknown',
  };
}

function inSeconds(ms: number | undefined): number | 'unknown' {
  return ms === undefined ? 'unknown' : Math.round(ms / 1000);
}

/** Beyond what the record keeps the ids of, and beyond those that are named, a count is a lower bound. */
function areAtLeast(cost: DeploymentCost): {
  readonly finished: boolean;
  readonly broken: boolean;
} {
  const { jobsFinishedAtLeast, jobsBroken, jobsBrokenAtLeast, broken } = cost;
  const isNamed = typeof jobsBroken !== 'number' || jobsBroken <= broken.length;
  return { finished: jobsFinishedAtLeast === true, broken: jobsBrokenAtLeast === true || !isNamed };
}

/** For people: `41`, `at least 41` or `unknown`. */
export function formatJobCounts(cost: DeploymentCost): {
  readonly finished: string;
  readonly broken: string;
} {
  const { finished, broken } = areAtLeast(cost);
  return {
    finished: `${finished ? 'at least ' : ''}${cost.jobsFinished}`,
    broken: `${broken ? 'at least ' : ''}${cost.jobsBroken}`,
  };
}

/** For a line of the record's history; `41+` is `at least 41`. */
export function costInBrief(cost: DeploymentCost): string {
  const { jobsFinished, jobsBroken, longestWaitSeconds, twoShardsSeconds } = cost;
  const { finished, broken } = areAtLeast(cost);
  const seconds = (count: number | 'unknown') => (count === 'unknown' ? count : `${count}s`);
  return `jobs=${jobsFinished}${finished ? '+' : ''} broken=${jobsBroken}${broken ? '+' : ''} wait=${seconds(longestWaitSeconds)} two_shards=${seconds(twoShardsSeconds)}`;
}

const brief =
  /^jobs=(?:(\d+)(\+?)|unknown) broken=(\d+\+?|unknown) wait=(?:(\d+)s|unknown) two_shards=(?:(\d+)s|unknown)$/;

/** The same line for people; what is no such line as it is. */
export function formatCostInBrief(text: string): string {
  const found = brief.exec(text);
  if (found === null) return text;
  const [, jobs, least = '', broken = '', wait, twoShards] = found;
  const count = (digits: string | undefined) => (digits === undefined ? 'unknown' : Number(digits));
  const lost = broken.replace(/^(\d+)\+$/, 'at least $1');
  return [
    `${least === '' ? '' : 'at least '}${countedOrUnknown(count(jobs))} finished, ${lost} lost or interrupted`,
    wait === '0' ? 'no job waited' : `longest wait: ${duration(count(wait))}`,
    `two shards for ${duration(count(twoShards))}`,
  ].join('; ');
}

/** For later jobs and other programs: whole numbers, `at_least_41`, or `unknown`. */
export function costValues(cost: DeploymentCost) {
  const { finished, broken } = areAtLeast(cost);
  return {
    jobs_finished: `${finished ? 'at_least_' : ''}${cost.jobsFinished}`,
    jobs_broken: `${broken ? 'at_least_' : ''}${cost.jobsBroken}`,
    longest_wait_seconds: String(cost.longestWaitSeconds),
    two_shards_seconds: String(cost.twoShardsSeconds),
  };
}

const whys: Readonly<Record<BrokenJob['why'], string>> = {
  killed: 'killed by drain.force_after',
  host_gone: 'gone with its host',
  registry_only: 'lost: GitLab still listed it as running and will drop it',
  runner_failed: 'failed by its runner',
  ended_by_us: 'cut off by this deployment, which had ended its runner',
};

/** Sentences without their full stop, for a summary. */
export function describeCost(cost: DeploymentCost): readonly string[] {
  const { jobsFinished, broken, longestWaitSeconds, twoShardsSeconds } = cost;
  const finished = `${areAtLeast(cost).finished ? 'at least ' : ''}${countedOrUnknown(jobsFinished)}`;
  return [
    `${finished} finished while ${jobsFinished === 1 ? 'its' : 'their'} shard drained, ${formatJobCounts(cost).broken} lost or interrupted`,
    ...broken.map(
      ({ id, why, url }) => `job ${id} was ${whys[why]}${url === undefined ? '' : `: ${url}`}`,
    ),
    `${longestWaitSeconds === 0 ? "no customer's job waited" : `longest wait of a customer's job: ${duration(longestWaitSeconds)}`}; time with two shards: ${duration(twoShardsSeconds)}`,
  ];
}

function countedOrUnknown(jobs: number | 'unknown'): string {
  if (jobs === 'unknown') return 'an unknown number of jobs';
  return counted(jobs, 'job');
}

function duration(seconds: number | 'unknown'): string {
  return seconds === 'unknown' ? 'unknown' : formatDuration(seconds * 1000);
}
