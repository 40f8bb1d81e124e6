import { countStreams } from '../final.ts';
import { findLateJobs, jobsOf, type Run } from '../story.ts';

/** Renders the output of `--json`. Other programs read it, so its shape is fixed. */
export function resultJson(run: Run): string {
  const counts = countStreams(jobsOf(run));
  const { submitted, finished, lost, interrupted, longestWaitSeconds } = counts.deployments;
  const result = {
    deployments: run.stories
      .flatMap(({ deployments }) => deployments)
      .map(({ id, candidate, outcome, seconds, overlapSeconds }) => ({
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
      late: findLateJobs(run).late.length,
      longest_wait_seconds: longestWaitSeconds,
      control_longest_wait_seconds: counts.control.longestWaitSeconds,
    },
    final: run.stories.map(({ final }) => ({
      active_shard: final.activeShard,
      shards_alive: final.aliveShards.length,
      runner_records: final.runners,
      tokens: final.tokenShards.length,
      locks: final.locks,
      record_phase: final.recordPhase,
    })),
  };
  return `${JSON.stringify(result, undefined, 2)}\n`;
}
