import type { DeploymentId } from '../../domain/shard.ts';
import type { CanaryJobs, CancelledCanaries } from '../../ports/canary.ts';
import { PortFailure } from '../../ports/failure.ts';
import { canaryTag } from './canary-tag.ts';

/** Canaries of a pipeline that another run started. */
export interface OtherCanaries {
  /** Cancels canaries and returns how many were alive. */
  cancel(which: CancelledCanaries & { readonly of: DeploymentId }): Promise<number>;
  listIds(deployment: DeploymentId): Promise<readonly string[]>;
}

/**
 * Creates the port for runs that cannot start a canary: outside a pipeline with `canary.kind: job`,
 * or without a canary. It can find and cancel canaries of the pipeline whose deployment this run
 * continues.
 */
export function createNoCanary({
  deploymentId,
  runnerName,
  others,
}: {
  deploymentId: string;
  runnerName: string;
  /** Absent if the canary is off, or the pipeline cannot have one. */
  others?: OtherCanaries;
}): CanaryJobs {
  const refusal = 'canary.kind is job, and this run is not a job of a GitLab pipeline';
  return {
    refusal,
    tag: canaryTag(deploymentId, runnerName),
    byHand: 'set canary.kind to project to start a canary outside a pipeline',
    findNewest: () => Promise.resolve(undefined),
    find: () => Promise.resolve(undefined),
    start: () =>
      Promise.reject(
        new PortFailure({
          kind: 'refused',
          effect: 'none',
          source: 'The canary',
          detail: refusal,
        }),
      ),
    cancel: async ({ of = deploymentId as DeploymentId, ...how } = {}) =>
      (await others?.cancel({ of, ...how })) ?? 0,
    listIds: async (givenUp = deploymentId as DeploymentId) =>
      (await others?.listIds(givenUp)) ?? [],
  };
}
