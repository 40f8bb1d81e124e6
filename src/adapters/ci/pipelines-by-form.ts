import type { OwnerState, Pipelines } from '../../ports/pipelines.ts';
import { ciOf } from '../../ports/run.ts';

/** Creates the port for a CI that cannot be queried. It never reports an owner as over. */
export function unaskedPipelines(reason: string): Pipelines {
  const unknown: OwnerState = { kind: 'unknown', reason };
  return {
    readOwner: async () => unknown,
    readLockHolder: async () => unknown,
    readLastProvisions: async () => 'unknown',
  };
}

/** Queries the CI that an id belongs to by its format, independent of the current CI. */
export function pipelinesByForm(ci: { gitlab: Pipelines; github: Pipelines }): Pipelines {
  const of = (deploymentId: string) => (ciOf(deploymentId) === 'github' ? ci.github : ci.gitlab);
  return {
    readOwner: (owner) => of(owner.deploymentId).readOwner(owner),
    readLockHolder: (holder) => of(holder.deploymentId).readLockHolder(holder),
    readLastProvisions: (owner) => of(owner.deploymentId).readLastProvisions(owner),
  };
}
