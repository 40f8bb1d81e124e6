/** Whether another pipeline or job can still act. */
export type OwnerState =
  | { readonly kind: 'alive'; readonly reason: string }
  /**
   * Finished, blocked on a manual job, or deleted: it does not run and will not start by itself.
   */
  | { readonly kind: 'over'; readonly reason: string }
  /** The CI did not report its state. Never treated as `over`. */
  | { readonly kind: 'unknown'; readonly reason: string };

/** Time after which a condition is not expected to pass without an operator. */
export const lastingAfterMs = 86_400_000;

/**
 * Returns the pipeline of a deployment. A deployment that one of its jobs started later has a
 * suffix.
 */
export function pipelineOf(deploymentId: string): string {
  return deploymentId.replace(/(?:-(?:rollback|activate|deploy)(?:-\d+)?)+$/, '');
}
