import { costValues } from '../domain/deployment/cost.ts';
import type { RunReport } from './run-report.ts';

export type RunOutput = keyof ReturnType<typeof runOutputs>;

/** Returns the outputs of a run for later jobs, in any CI. Unknown values are empty. */
export function runOutputs({ activeShard, deployment, outcome }: RunReport) {
  const cost = deployment?.cost === undefined ? undefined : costValues(deployment.cost);
  return {
    active_shard: activeShard ?? '',
    candidate: deployment?.candidate ?? '',
    retiring: deployment?.retiring ?? '',
    phase: deployment?.phase ?? '',
    deployment_id: deployment?.id ?? '',
    outcome,
    jobs_finished: cost?.jobs_finished ?? '',
    jobs_broken: cost?.jobs_broken ?? '',
    longest_wait_seconds: cost?.longest_wait_seconds ?? '',
    two_shards_seconds: cost?.two_shards_seconds ?? '',
  };
}
