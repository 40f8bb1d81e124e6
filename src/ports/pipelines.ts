import type { OwnerState } from '../domain/deployment/lock/pipeline-state.ts';
import type { Effects } from './effect.ts';

/** Reads the CI's pipelines and jobs, including those of other runs. */
export interface Pipelines {
  /** Reads whether the pipeline that owns a deployment can still act by itself. */
  readOwner(owner: { deploymentId: string; pipelineUrl?: string }): Promise<OwnerState>;
  /**
   * Reads whether a job, or any other stage of its pipeline except the current job, still runs.
   */
  readLockHolder(holder: { deploymentId: string; jobId: string }): Promise<OwnerState>;
  /**
   * Reads the results of a deployment's provision jobs, newest first, including retried attempts.
   * `unknown` if the CI cannot be queried or does not distinguish attempts.
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
