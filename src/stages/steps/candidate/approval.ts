import type { StagePlanOptions } from '../../../domain/deployment/stage-plan.ts';
import { isBefore, type StageName } from '../../../domain/deployment/stages-and-steps.ts';
import { lineOf } from '../../../errors/fix-line.ts';
import type { StageContext } from '../../context/context.ts';

/**
 * Records before the first effect of provision whether this deployment waits for an approval. Every
 * later provision without an option stops at the same point. This includes `deploy`, `recover` and
 * a pipeline that adopts the deployment.
 */
export async function noteApproval(
  context: StageContext,
  { stage, until }: StagePlanOptions & { readonly stage: StageName },
): Promise<void> {
  const { log, journal } = context;
  const record = journal.current();
  const { awaitsApproval: noted, ...deployment } = record.deployment;
  if (stage !== 'provision' || !isBefore(deployment.phase, 'promoting')) return;
  if (until === undefined) {
    if (noted === true) log.warn(describeStop(context));
    return;
  }
  const awaits = until === 'healthy';
  if (awaits === (noted === true)) return;
  await journal.write({
    ...record,
    deployment: awaits ? { ...deployment, awaitsApproval: true } : deployment,
  });
  if (!awaits)
    log.warn(`Deployment ${deployment.id} no longer waits for an approval (--until promoted).`);
}

function describeStop({ journal, settings, typed }: StageContext): string {
  const { id, candidate } = journal.current().deployment;
  const text = `Deployment ${id} waits for an approval, so ${candidate} does not become active in this run. After the approval`;
  return `${lineOf({ text, command: 'promote', runner: settings.runnerName }, typed)}.`;
}
