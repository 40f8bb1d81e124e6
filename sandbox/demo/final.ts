import { retiredToken } from '../../src/domain/deployment/token-retirement.ts';
import type { Sandbox } from '../sandbox.ts';
import { countJobs, isBesideDeployment, type JobCounts, type JudgedJob } from './count/count.ts';
import type { Look, WatchedStack } from './look.ts';
import { ciServerOf } from './run/ci-server.ts';

/** What is there at rest. */
export interface FinalState {
  readonly activeShard: string | null;
  readonly aliveShards: readonly string[];
  readonly runnerRecords: number;
  /** One for a shard of GitLab, one for each host of GitHub. */
  readonly expectedRecords: number;
  /** Shards that have a token in Parameter Store. */
  readonly tokenShards: readonly string[];
  readonly locks: number;
  readonly recordPhase: string | null;
}

export function readFinalState(
  sandbox: Sandbox,
  { look, stack }: { look: Look; stack: WatchedStack },
): FinalState {
  const parameters = sandbox.parameters.list();
  const tokens = parameters
    .filter((one) => one.value() !== retiredToken)
    .map(({ parameter }) => parameter.name);
  const shards = Object.entries(look.shards);
  return {
    activeShard: look.active ?? null,
    aliveShards: shards.flatMap(([shard, state]) => (state === 'gone' ? [] : [shard])),
    runnerRecords: ciServerOf(sandbox, stack).countRunners(),
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
    recordPhase: look.record?.phase ?? null,
  };
}

/** The newest entry of the lock's log; at rest it is a release. */
function isOwned(text: string): boolean {
  return (JSON.parse(text) as { entry?: string }).entry !== 'release';
}

export interface Outcome {
  readonly jobs: readonly JudgedJob[];
  readonly final: FinalState;
  readonly gapMs: number;
  /** Scenarios that did not go as they must, in a sentence each. */
  readonly failures: readonly string[];
}

/** Whatever is wrong, in a sentence each; nothing means exit code 0. */
export function findProblems({ jobs, final, gapMs, failures }: Outcome): readonly string[] {
  const { aliveShards, activeShard, tokenShards } = final;
  const dead = tokenShards.filter((shard) => !aliveShards.includes(shard));
  return [
    ...failures,
    ...jobs
      .filter(({ verdict }) => verdict !== 'finished')
      .map((job) => `Job ${job.number} was ${job.verdict}: ${job.reason}.`),
    ...(gapMs > 0 ? [`No shard took customers' jobs for ${gapMs} ms.`] : []),
    ...(aliveShards.length === 1 && aliveShards[0] === activeShard
      ? []
      : [
          `Alive is ${aliveShards.join(' and ') || 'no shard'}; active is ${activeShard ?? 'none'}.`,
        ]),
    ...(final.runnerRecords === final.expectedRecords
      ? []
      : [`There are ${final.runnerRecords} runner records, not ${final.expectedRecords}.`]),
    ...dead.map((shard) => `The token of ${shard} is there, the shard is not.`),
    ...(final.locks === 0 ? [] : ['A lock was left behind.']),
    ...(final.recordPhase === 'done'
      ? []
      : [`The record is in phase ${final.recordPhase ?? 'none'}, not done.`]),
  ];
}

export interface Counts {
  /** Of every job beside deployments; the longest wait is told without those of an outage. */
  readonly deployments: JobCounts;
  readonly control: JobCounts;
  readonly outage: JobCounts;
}

export function countStreams(jobs: readonly JudgedJob[]): Counts {
  const of = (wanted: JudgedJob['stream']) =>
    countJobs(jobs.filter(({ stream }) => stream === wanted));
  const { longestWaitSeconds } = of('deployments');
  return {
    deployments: { ...countJobs(jobs.filter(isBesideDeployment)), longestWaitSeconds },
    control: of('control'),
    outage: of('outage'),
  };
}
