import type { OwnerState } from '../domain/owner.ts';

/** What a CI says of pipelines and jobs that may be others'. */
export interface Pipelines {
  /** Whether the pipeline that owns a deployment can still act by itself. */
  readOwner(owner: { deploymentId: string; pipelineUrl?: string }): Promise<OwnerState>;
  /** Whether a job, or any other stage of its pipeline than our own job, still runs. */
  readLockHolder(holder: { deploymentId: string; jobId: string }): Promise<OwnerState>;
}

export type { OwnerState };
