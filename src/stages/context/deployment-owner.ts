import { type Direction, judgeOwnId } from '../../domain/deployment/direction.ts';
import { pipelineOf } from '../../domain/deployment/lock/pipeline-state.ts';
import type { DeploymentRecord } from '../../domain/deployment/record.ts';
import type { ErrorCode } from '../../domain/error-codes.ts';
import type { OwnerState } from '../../ports/pipelines.ts';
import { ciOf } from '../../ports/run.ts';
import type { StageContext } from './context.ts';

/** Reads whether the owning pipeline can continue the deployment. The caller holds the lock. */
export async function readOwner(
  { ports }: StageContext,
  record: DeploymentRecord,
): Promise<OwnerState> {
  const { id, pipelineUrl } = record.deployment;
  if (ciOf(id) === 'terminal') {
    // The lock decides whether a stage of that pipeline is running.
    return { kind: 'over', reason: 'it was started from a terminal, so no CI job resumes it' };
  }
  return ports.pipelines.readOwner({
    deploymentId: pipelineOf(id),
    ...(pipelineUrl === undefined ? {} : { pipelineUrl }),
  });
}

/** Returns the approval that the deployment waits for. Its pipeline stops until then. */
export function findApproval(
  record: DeploymentRecord | undefined,
): { readonly pipelineUrl?: string } | undefined {
  const { phase, awaitsApproval, pipelineUrl } = record?.deployment ?? {};
  if (phase !== 'healthy' || awaitsApproval !== true) return undefined;
  return pipelineUrl === undefined ? {} : { pipelineUrl };
}

/** Errors that mean another run works on the deployment. Their texts promise no changes. */
export const ownerLost: ReadonlySet<ErrorCode> = new Set(['ForeignWrite', 'LockLost']);

/** Decides what this run may do with the record. A terminal continues any deployment. */
export function judgeRun({ run }: StageContext, record: DeploymentRecord): Direction | undefined {
  return judgeOwnId(record, {
    deploymentId: run.deploymentId,
    pipelineCreatedAt: run.pipelineCreatedAt,
  });
}
