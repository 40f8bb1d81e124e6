import { counted } from '../text/counted.ts';
import { formatDuration } from '../text/duration.ts';
import type { Deployment } from './record.ts';
import { type BrokenJob, millisecondsBetween } from './tally.ts';

/** What a deployment cost its customers, for people and for later jobs. */
export interface DeploymentCost {
  /** Customers' jobs that ran on a shard while it drained, and ended as jobs do. Source: GitLab's list of the runner's jobs. */
  readonly jobsFinished: number | 'unknown';
  /** Killed by `drain.force_after`, gone with their host, failed by their runner, or cut off by us. Sources: GitLab, the host, EC2. */
  readonly jobsBroken: number | 'unknown';
  /** The first of those. */
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

function jobsOf({
  retiring,
  tally,
}: Deployment): Pick<DeploymentCost, 'jobsFinished' | 'jobsBroken' | 'broken'> {
  const { drain } = tally ?? {};
  if (retiring === undefined && drain === undefined)
    return { jobsFinished: 0, jobsBroken: 0, broken: [] };
  if (drain === undefined) return { jobsFinished: 'unknown', jobsBroken: 'unknown', broken: [] };
  const { seen, seenBeyond, hidden, settled, broken, brokenBeyond } = drain;
  const count = broken.length + brokenBeyond;
  return {
    jobsFinished: hidden || !settled ? 'unknown' : seen.length + seenBeyond - count,
    jobsBroken: hidden || !settled ? 'unknown' : count,
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

/** For a line of the record's history. */
export function costInBrief(cost: DeploymentCost): string {
  const { jobsFinished, jobsBroken, longestWaitSeconds, twoShardsSeconds } = cost;
  const seconds = (count: number | 'unknown') => (count === 'unknown' ? count : `${count}s`);
  return `jobs=${jobsFinished} broken=${jobsBroken} wait=${seconds(longestWaitSeconds)} two_shards=${seconds(twoShardsSeconds)}`;
}

const brief =
  /^jobs=(\d+|unknown) broken=(\d+|unknown) wait=(?:(\d+)s|unknown) two_shards=(?:(\d+)s|unknown)$/;

/** The same line for people; what is no such line as it is. */
export function tellCostInBrief(text: string): string {
  const found = brief.exec(text);
  if (found === null) return text;
  const [, jobs = '', broken = '', wait, twoShards] = found;
  const count = (digits: string) => (digits === 'unknown' ? digits : Number(digits));
  const seconds = (digits: string | undefined) => duration(count(digits ?? 'unknown'));
  return [
    `${countedOrUnknown(count(jobs))} finished, ${broken} lost or interrupted`,
    wait === '0' ? 'no job waited' : `longest wait: ${seconds(wait)}`,
    `two shards for ${seconds(twoShards)}`,
  ].join('; ');
}

/** For later jobs and other programs: whole numbers, or `unknown`. */
export function costValues(cost: DeploymentCost) {
  return {
    jobs_finished: String(cost.jobsFinished),
    jobs_broken: String(cost.jobsBroken),
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
  const { jobsFinished, jobsBroken, broken, longestWaitSeconds, twoShardsSeconds } = cost;
  // Beyond those that are named, a job that is reported again cannot be told from another one.
  const least = typeof jobsBroken === 'number' && jobsBroken > broken.length ? 'at least ' : '';
  return [
    `${countedOrUnknown(jobsFinished)} finished while ${jobsFinished === 1 ? 'its' : 'their'} shard drained, ${least}${jobsBroken} lost or interrupted`,
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
