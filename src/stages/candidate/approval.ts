import type { PlanOptions } from '../../domain/deployment/stage-plan.ts';
import { isBefore, type StageName } from '../../domain/deployment/stages-and-steps.ts';
import type { StageContext } from '../walk/context.ts';

/**
 * Records before the first effect of provision whether this deployment waits for an approval. Every later
 * provision without an option, also one of `recover`, stops where this one stops.
 */
export async function noteApproval(
  context: StageContext,
  { stage, until }: PlanOptions & { readonly stage: StageName },
): Promise<void> {
  if (stage !== 'provision' || until === undefined) return;
  const record = context.journal.current();
  const { awaitsApproval: noted, ...deployment } = record.deployment;
  const awaits = until === 'healthy';
  if (awaits === (noted === true) || !isBefore(deployment.phase, 'promoting')) return;
  await context.journal.write({
    ...record,
    deployment: awaits ? { ...deployment, awaitsApproval: true } : deployment,
  });
}
