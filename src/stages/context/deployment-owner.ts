import { type Direction, judgeOwnId } from '../../domain/deployment/direction.ts';
import { pipelineOf } from '../../domain/deployment/lock/pipeline-state.ts';
import type { DeploymentRecord } from '../../domain/deployment/record.ts';
import type { ErrorCode } from '../../domain/error-codes.ts';
import type { OwnerState } from '../../ports/pipelines.ts';
import { ciOf } from '../../ports/run.ts';
import type { StageContext } from './context.ts';

/** Whether the record's deployment can still go on by itself. Asked while we hold the lock. */
export async function readOwner(
  { ports }: StageContext,
  record: DeploymentRecord,
): Promise<OwnerState> {
  const { id, pipelineUrl } = record.deployment;
  if (ciOf(id) === 'terminal') {
    // Whether a stage of it runs is the lock's to say.
    return { kind: 'over', reason: 'it was typed at a terminal, so that no CI goes on with it' };
  }
  return ports.pipelines.readOwner({
    deploymentId: pipelineOf(id),
    ...(pipelineUrl === undefined ? {} : { pipelineUrl }),
  });
}

/** The approval that the record's deployment waits for; no pipeline goes on without it. */
export function findApproval(
  record: DeploymentRecord | undefined,
): { readonly pipelineUrl?: string } | undefined {
  const { phase, awaitsApproval, pipelineUrl } = record?.deployment ?? {};
  if (phase !== 'healthy' || awaitsApproval !== true) return undefined;
  return pipelineUrl === undefined ? {} : { pipelineUrl };
}

/** Their words say that nothing more is touched: somebody else works on the deployment. */
export const ownerLost: ReadonlySet<ErrorCode> = new Set(['ForeignWrite', 'LockLost']);

/** What this run's id may do with the record, with a terminal standing in for whoever began. */
export function judgeRun({ run }: StageContext, record: DeploymentRecord): Direction | undefined {
  return judgeOwnId(record, {
    deploymentId: run.deploymentId,
    pipelineCreatedAt: run.pipelineCreatedAt,
  });
}
