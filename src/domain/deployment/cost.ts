import { counted } from '../text/count-text.ts';
import { formatDuration } from '../text/duration.ts';
import type { Deployment } from './record.ts';
import { type BrokenJob, millisecondsBetween, withKeptIds } from './tally.ts';

/** Effects of a deployment on customers, for operators and later jobs. */
export interface DeploymentCost {
  /**
   * Customer jobs that finished normally on a draining shard. Source: GitLab's list of the runner's
   * jobs.
   */
  readonly jobsFinished: number | 'unknown';
  /**
   * Jobs killed by `drain.force_after`, lost with their host, failed by their runner, or ended by
   * this deployment. Sources: GitLab, the host, EC2.
   */
  readonly jobsBroken: number | 'unknown';
  /** Set if the record stores fewer ids than jobs were seen: a later run may count a job twice. */
  readonly jobsFinishedAtLeast?: true;
  /** Set if the record stores fewer ids than jobs were broken. */
  readonly jobsBrokenAtLeast?: true;
  /** The first broken jobs. */
  readonly broken: readonly BrokenJob[];
  /** Longest wait in seconds; 0 if no job waited. Source: GitLab's `queued_duration`. */
  readonly longestWaitSeconds: number | 'unknown';
  /**
   * Seconds on hosted-runner's clock, from the first apply to the proof that the old shard is gone.
   */
  readonly twoShardsSeconds: number | 'unknown';
}

/** Calculates the cost; `now` ends the time with two shards if both still exist. */
export function costOf(deployment: Deployment, now: string): DeploymentCost {
  return { ...jobsOf(deployment), ...timesOf(deployment, now) };
}

type JobCounts = Omit<DeploymentCost, 'longestWaitSeconds' | 'twoShardsSeconds'>;

function jobsOf({ retiring, tally }: Deployment): JobCounts {
  const { drain } = tally ?? {};
  if (retiring === undefined && drain === undefined)
    return { jobsFinished: 0, jobsBroken: 0, broken: [] };
  if (drain === undefined) return { jobsFinished: 'unknown', jobsBroken: 'unknown', broken: [] };
  // Limited like the record: every run then reports equal numbers.
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
    // Without a retiring shard, no job waited for a switch.
    longestWaitSeconds: retiring === undefined ? 0 : inSeconds(drain?.longestWaitMs),
    twoShardsSeconds: isSeen ? inSeconds(twoShardsMs + runningMs) : 'unknown',
  };
}

function inSeconds(ms: number | undefined): number | 'unknown' {
  return ms === undefined ? 'unknown' : Math.round(ms / 1000);
}

/** Decides which counts are lower bounds: those beyond the stored ids or the named jobs. */
function areAtLeast(cost: DeploymentCost): {
  readonly finished: boolean;
  readonly broken: boolean;
} {
  const { jobsFinishedAtLeast, jobsBroken, jobsBrokenAtLeast, broken } = cost;
  const isNamed = typeof jobsBroken !== 'number' || jobsBroken <= broken.length;
  return { finished: jobsFinishedAtLeast === true, broken: jobsBrokenAtLeast === true || !isNamed };
}

/** Formats counts for operators: `41`, `at least 41` or `unknown`. */
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

/** Formats a line of the record's history; `41+` means `at least 41`. */
export function costInBrief(cost: DeploymentCost): string {
  const { jobsFinished, jobsBroken, longestWaitSeconds, twoShardsSeconds } = cost;
  const { finished, broken } = areAtLeast(cost);
  const seconds = (count: number | 'unknown') => (count === 'unknown' ? count : `${count}s`);
  return `jobs=${jobsFinished}${finished ? '+' : ''} broken=${jobsBroken}${broken ? '+' : ''} wait=${seconds(longestWaitSeconds)} two_shards=${seconds(twoShardsSeconds)}`;
}

const brief =
  /^jobs=(?:(\d+)(\+?)|unknown) broken=(\d+\+?|unknown) wait=(?:(\d+)s|unknown) two_shards=(?:(\d+)s|unknown)$/;

/** Formats a history line for operators; any other text stays unchanged. */
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

/**
 * Formats values for later jobs and other programs: whole numbers, `at_least_41`, or `unknown`.
 */
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
  host_gone: 'lost with its host',
  registry_only: 'lost: GitLab still listed it as running and will drop it',
  runner_failed: 'failed because of its runner',
  ended_by_us: 'interrupted by this deployment, which had ended its runner',
};

/** Formats sentences for a summary, without a full stop. */
export function describeCost(cost: DeploymentCost): readonly string[] {
  const { jobsFinished, jobsBroken, broken, longestWaitSeconds, twoShardsSeconds } = cost;
  const finished = `${areAtLeast(cost).finished ? 'at least ' : ''}${countedOrUnknown(jobsFinished)}`;
  return [
    `${finished} finished while ${jobsFinished === 1 ? 'its' : 'their'} shard drained, ${jobsBroken === 'unknown' ? 'an unknown number' : formatJobCounts(cost).broken} lost or interrupted`,
    ...broken.map(
      ({ id, why, url }) => `job ${id} was ${whys[why]}${url === undefined ? '' : `: ${url}`}`,
    ),
    `${longestWaitSeconds === 0 ? 'no customer job waited' : `longest wait of a customer job: ${duration(longestWaitSeconds)}`}; time with two shards: ${duration(twoShardsSeconds)}`,
  ];
}

function countedOrUnknown(jobs: number | 'unknown'): string {
  if (jobs === 'unknown') return 'an unknown number of jobs';
  return counted(jobs, 'job');
}

function duration(seconds: number | 'unknown'): string {
  return seconds === 'unknown' ? 'unknown' : formatDuration(seconds * 1000);
}
