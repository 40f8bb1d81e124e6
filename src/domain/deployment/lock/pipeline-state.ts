/** Whether a pipeline or job that is not ours can still act. */
export type OwnerState =
  | { readonly kind: 'alive'; readonly reason: string }
  /** Finished, blocked on a manual job, or deleted: nothing of it runs and nothing will by itself. */
  | { readonly kind: 'over'; readonly reason: string }
  /** The CI did not say. Never read as `over`. */
  | { readonly kind: 'unknown'; readonly reason: string };

/** A condition that has lasted for so long is not expected to pass without an operator. */
export const lastingAfterMs = 86_400_000;

/** The pipeline behind a deployment: one that a job of it began later carries its id and a suffix. */
export function pipelineOf(deploymentId: string): string {
  return deploymentId.replace(/(?:-(?:rollback|activate|deploy)(?:-\d+)?)+$/, '');
}
