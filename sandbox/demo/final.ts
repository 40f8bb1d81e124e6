import { retiredToken } from '../../src/domain/deployment/token-retirement.ts';
import type { Sandbox } from '../sandbox.ts';
import { type CheckedJob, countJobs, isBesideDeployment, type JobCounts } from './count/count.ts';
import { ciServerOf } from './run/ci-server.ts';
import type { Reading, WatchedStack } from './stack-reading.ts';

/** State at the end, when nothing runs. */
export interface FinalState {
  readonly activeShard: string | null;
  readonly aliveShards: readonly string[];
  readonly runners: number;
  /** Number of runners: one per shard in GitLab, one per host in GitHub. */
  readonly expectedRecords: number;
  /** Shards with a token in Parameter Store. */
  readonly tokenShards: readonly string[];
  readonly locks: number;
  readonly recordPhase: string | null;
}

export function readFinalState(
  sandbox: Sandbox,
  { reading, stack }: { reading: Reading; stack: WatchedStack },
): FinalState {
  const parameters = sandbox.parameters.list();
  const tokens = parameters
    .filter((one) => one.value() !== retiredToken)
    .map(({ parameter }) => parameter.name);
  const shards = Object.entries(reading.shards);
  return {
    activeShard: reading.active ?? null,
    aliveShards: shards.flatMap(([shard, state]) => (state === 'gone' ? [] : [shard])),
    runners: ciServerOf(sandbox, stack).countRunners(),
    expectedRecords: stack.runners === 'github' ? stack.managers : 1,
    tokenShards: tokens.flatMap((name) => {
      const [shard, parameter] = name.startsWith(stack.prefix)
        ? name.slice(stack.prefix.length).split('/')
        : [];
      return shard !== undefined && parameter === 'runner_token' ? [shard] : [];
    }),
    locks: parameters.filter(
      (one) => one.parameter.name.endsWith('/deployment_lock') && isOwned(one.value()),
    ).length,
    recordPhase: reading.record?.phase ?? null,
  };
}

/** Reads the newest entry of the lock's log. At the end it is a release. */
function isOwned(text: string): boolean {
  return (JSON.parse(text) as { entry?: string }).entry !== 'release';
}

export interface Outcome {
  readonly jobs: readonly CheckedJob[];
  readonly final: FinalState;
  readonly gapMs: number;
  /** Failed scenarios, one sentence each. */
  readonly failures: readonly string[];
}

/** Lists all problems, one sentence each. Without any, the exit code is 0. */
export function findProblems({ jobs, final, gapMs, failures }: Outcome): readonly string[] {
  const { aliveShards, activeShard, tokenShards } = final;
  const dead = tokenShards.filter((shard) => !aliveShards.includes(shard));
  return [
    ...failures,
    ...jobs
      .filter(({ verdict }) => verdict !== 'finished')
      .map((job) => `Job ${job.number} was ${job.verdict}: ${job.reason}.`),
    ...(gapMs > 0 ? [`No shard accepted customer jobs for ${gapMs} ms.`] : []),
    ...(aliveShards.length === 1 && aliveShards[0] === activeShard
      ? []
      : [
          `Existing shards: ${aliveShards.join(', ') || 'none'}; active shard: ${activeShard ?? 'none'}.`,
        ]),
    ...(final.runners === final.expectedRecords
      ? []
      : [`There are ${final.runners} runners, not ${final.expectedRecords}.`]),
    ...dead.map((shard) => `The token of ${shard} exists, but the shard does not.`),
    ...(final.locks === 0 ? [] : ['A lock was left behind.']),
    ...(final.recordPhase === 'done'
      ? []
      : [`The record is in phase ${final.recordPhase ?? 'none'}, not done.`]),
  ];
}

export interface Counts {
  /** Counts of all jobs beside deployments. The longest wait excludes jobs of an outage. */
  readonly deployments: JobCounts;
  readonly control: JobCounts;
  readonly outage: JobCounts;
}

export function countStreams(jobs: readonly CheckedJob[]): Counts {
  const of = (wanted: CheckedJob['stream']) =>
    countJobs(jobs.filter(({ stream }) => stream === wanted));
  const { longestWaitSeconds } = of('deployments');
  return {
    deployments: { ...countJobs(jobs.filter(isBesideDeployment)), longestWaitSeconds },
    control: of('control'),
    outage: of('outage'),
  };
}
