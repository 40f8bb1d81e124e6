import type { OwnerState } from '../domain/deployment/lock/pipeline-state.ts';
import type { Effects } from './effect.ts';

/** What a CI says of pipelines and jobs that may be others'. */
export interface Pipelines {
  /** Whether the pipeline that owns a deployment can still act by itself. */
  readOwner(owner: { deploymentId: string; pipelineUrl?: string }): Promise<OwnerState>;
  /** Whether a job, or any other stage of its pipeline than our own job, still runs. */
  readLockHolder(holder: { deploymentId: string; jobId: string }): Promise<OwnerState>;
  /**
   * How the provision jobs of a deployment's pipeline ended, newest first, tries that were repeated
   * among them; `unknown` where the CI cannot be asked or does not tell tries apart.
   */
  readLastProvisions(owner: {
    deploymentId: string;
  }): Promise<readonly ('failed' | 'success')[] | 'unknown'>;
}

export const pipelineEffects = {
  readOwner: 'reads',
  readLockHolder: 'reads',
  readLastProvisions: 'reads',
} as const satisfies Effects<Pipelines>;

export type { OwnerState };
