import type { Counts, FinalState } from '../final.ts';

/** One attempt to deploy; a recovery goes on with the id of what it recovers. */
export interface DeploymentRow {
  readonly id: string;
  readonly candidate: string;
  readonly outcome: 'done' | 'unhealthy' | 'taken_back' | 'failed';
  readonly seconds: number;
  readonly overlapSeconds: number;
}

/** For people; programs are told the outcome's own name. */
export const outcomeWords: Readonly<Record<DeploymentRow['outcome'], string>> = {
  done: 'done',
  unhealthy: 'unhealthy',
  taken_back: 'taken back',
  failed: 'failed',
};

/** What `--json` writes; others read it, so its shape is fixed. */
export function resultJson({
  deployments,
  counts,
  final,
}: {
  deployments: readonly DeploymentRow[];
  counts: Counts;
  final: FinalState;
}): string {
  const { submitted, finished, lost, interrupted, longestWaitSeconds } = counts.deployments;
  const result = {
    deployments: deployments.map(({ id, candidate, outcome, seconds, overlapSeconds }) => ({
      id,
      candidate,
      outcome,
      seconds,
      overlap_seconds: overlapSeconds,
    })),
    jobs: {
      submitted,
      finished,
      lost,
      interrupted,
      longest_wait_seconds: longestWaitSeconds,
      control_longest_wait_seconds: counts.control.longestWaitSeconds,
    },
    final: {
      active_shard: final.activeShard,
      shards_alive: final.aliveShards.length,
      runner_records: final.runnerRecords,
      tokens: final.tokenShards.length,
      locks: final.locks,
      record_phase: final.recordPhase,
    },
  };
  return `${JSON.stringify(result, undefined, 2)}\n`;
}
