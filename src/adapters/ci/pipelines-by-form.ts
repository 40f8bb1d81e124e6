import type { OwnerState, Pipelines } from '../../ports/pipelines.ts';
import { ciOf } from '../../ports/run.ts';

/** Of a CI that cannot be asked: nothing that it owns is ever over. */
export function unaskedPipelines(reason: string): Pipelines {
  const unknown: OwnerState = { kind: 'unknown', reason };
  return {
    readOwner: async () => unknown,
    readLockHolder: async () => unknown,
    readLastProvisions: async () => 'unknown',
  };
}

/** Asks the CI whose form an id has, wherever we run ourselves. */
export function pipelinesByForm(ci: { gitlab: Pipelines; github: Pipelines }): Pipelines {
  const of = (deploymentId: string) => (ciOf(deploymentId) === 'github' ? ci.github : ci.gitlab);
  return {
    readOwner: (owner) => of(owner.deploymentId).readOwner(owner),
    readLockHolder: (holder) => of(holder.deploymentId).readLockHolder(holder),
    readLastProvisions: (owner) => of(owner.deploymentId).readLastProvisions(owner),
  };
}
