import type { DeploymentId } from '../../domain/shard.ts';
import type { CanaryJobs, CancelledCanaries } from '../../ports/canary.ts';
import { PortFailure } from '../../ports/failure.ts';
import { canaryTag } from './canary-tag.ts';

/** Canaries of a pipeline that others began. */
export interface OtherCanaries {
  /** How many were alive. */
  cancel(which: CancelledCanaries & { readonly of: DeploymentId }): Promise<number>;
  listIds(deployment: DeploymentId): Promise<readonly string[]>;
}

/**
 * Where no canary job can be begun: outside of a pipeline, with `canary.kind: job`, or switched off.
 * Those of the pipeline whose deployment is carried on are known, and can be cancelled.
 */
export function createNoCanary({
  deploymentId,
  runnerName,
  others,
}: {
  deploymentId: string;
  runnerName: string;
  /** Absent where the canary is switched off, or a pipeline cannot have one. */
  others?: OtherCanaries;
}): CanaryJobs {
  const refusal = 'canary.kind is job, and this run is not a job of a GitLab pipeline';
  return {
    refusal,
    tag: canaryTag(deploymentId, runnerName),
    byHand:
      'set canary.kind to project, so that a canary can be started from outside of a pipeline',
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
