/** What a CI says of pipelines and jobs that may be others'. */
export interface Pipelines {
  /** Whether the pipeline that owns a deployment can still act by itself. */
  readOwner(owner: { deploymentId: string; pipelineUrl?: string }): Promise<OwnerState>;
  /** Whether a job, or any other stage of its pipeline than our own job, still runs. */
  readLockHolder(holder: { deploymentId: string; jobId: string }): Promise<OwnerState>;
}

export type OwnerState =
  | { readonly kind: 'alive'; readonly reason: string }
  /** Finished, blocked on a manual job, or deleted: nothing of it runs and nothing will by itself. */
  | { readonly kind: 'over'; readonly reason: string }
  /** The CI did not say. Never read as `over`. */
  | { readonly kind: 'unknown'; readonly reason: string };
