import { formatJobCounts } from '../domain/deployment/cost.ts';
import type { DeploymentView } from '../ports/log-event.ts';
import type { RunOutcome, RunReport } from './run-report.ts';

const outcomes: Readonly<Record<RunOutcome, string>> = {
  done: 'is done',
  nothing: 'had nothing to do',
  failed: 'failed',
  refused: 'was refused',
  stopped: 'stopped',
  unfinished: 'did not finish',
  cancelled: 'was cancelled',
};

/**
 * Formats the outcome of a run for a reader who reads nothing else: what was deployed, which shard
 * accepts jobs, and what happened to the jobs.
 */
export function formatOutcome(report: RunReport): string {
  return [describeRun(report), ...describeShards(report), ...describeJobs(report)].join(' ');
}

function describeRun({ stage, runner, outcome, deployment }: RunReport): string {
  if (deployment === undefined) return `${stage} of ${runner} ${outcomes[outcome]}.`;
  if (deployment.phase === 'done') return `${describeEnd(runner, deployment)}.`;
  return `The deployment of ${deployment.candidate} is in phase ${deployment.phase}.`;
}

function describeEnd(runner: string, { kind, candidate, retiring }: DeploymentView): string {
  const replaced = retiring === undefined ? '' : ` replaced ${retiring}`;
  switch (kind) {
    case 'rollback':
      return `Rolled back ${runner}: ${candidate}${replaced}`;
    case 'activate':
      return `Activated ${candidate} of ${runner}`;
    default:
      return `Deployed ${runner}: ${candidate}${replaced === '' ? ' is its first shard' : replaced}`;
  }
}

/** States the active shard, and each shard that the last check of this run verified. */
function describeShards({ activeShard, verified }: RunReport): readonly string[] {
  const others = verified
    .filter((shard) => shard !== activeShard)
    .map((shard) => `${shard} accepts jobs.`);
  if (activeShard === undefined) return others;
  const accepts = verified.includes(activeShard) ? ' and accepts jobs' : '';
  return [`${activeShard} is active${accepts}.`, ...others];
}

function describeJobs({ deployment }: RunReport): readonly string[] {
  if (deployment?.cost === undefined) return [];
  const { finished, broken } = formatJobCounts(deployment.cost);
  return [`Jobs: ${finished} finished, ${broken} lost or interrupted.`];
}
