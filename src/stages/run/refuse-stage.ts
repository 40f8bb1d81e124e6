import { contradictionWithStatus } from '../../domain/deployment/direction.ts';
import type { DeploymentRecord } from '../../domain/deployment/record.ts';
import type { StagePlanOptions } from '../../domain/deployment/stage-plan.ts';
import type { StageName } from '../../domain/deployment/stages-and-steps.ts';
import { superseded } from '../../errors/state-errors.ts';
import type { StageContext } from '../context/context.ts';
import { judgeRun } from '../context/deployment-owner.ts';
import { withGuardEvent } from '../context/guard-event.ts';
import { allSettledOrThrow } from '../context/parallel.ts';
import { judgeRecord, refuseContradiction } from '../effects/identify.ts';
import { lookAtStatus } from '../observe/observe.ts';
import { findAbandoned } from '../service/drain-abandonment.ts';
import { refuseAtRest } from './rest-check.ts';
import { planInOrder } from './run-stage.ts';

/**
 * Before the lock: what record and status alone refuse is no reason to take it, and is told at once. Both
 * are read while a hold is looked for, so that whoever passes has waited for nothing more; it is judged
 * once more under the lock.
 */
export async function refuseStage(
  context: StageContext,
  free: Promise<unknown>,
  { stage, ...options }: StagePlanOptions & { readonly stage: StageName },
): Promise<void> {
  await refuseAtRest(context, async () => {
    const [, record, { status }] = await allSettledOrThrow(
      () => free,
      () => context.journal.read(),
      () => lookAtStatus(context),
    );
    if (stage === 'prepare') return refuseOlder(context, record);
    // Customers come first: whatever refuses then is said once their shard is open.
    if (findAbandoned(context) !== undefined) return;
    const isAgreed =
      record === undefined || contradictionWithStatus({ status }, record) === undefined;
    await refuseByOrder(context, record, { stage, isAgreed, options });
  });
}

/** All else that `prepare` refuses rests on what it has probed. */
async function refuseOlder(
  context: StageContext,
  record: DeploymentRecord | undefined,
): Promise<void> {
  // A terminal may resume what is unfinished, which is decided under the lock.
  const isOpen = context.run.ci === 'terminal' && record?.deployment.phase !== 'done';
  const early = record === undefined || isOpen ? undefined : judgeRun(context, record);
  if (early?.kind !== 'superseded') return;
  const { settings, stage } = context;
  await withGuardEvent(context, 'owner', () => {
    throw superseded({ runner: settings.runnerName, stage, reason: early.reason });
  });
}

async function refuseByOrder(
  context: StageContext,
  record: DeploymentRecord | undefined,
  {
    stage,
    isAgreed,
    options,
  }: { stage: Exclude<StageName, 'prepare'>; isAgreed: boolean; options: StagePlanOptions },
): Promise<void> {
  // That it goes on with the deployment is said under the lock.
  const judged = await judgeRecord({ ...context, hasBegun: true }, stage, record);
  if (judged.kind !== 'record') return;
  if (!isAgreed) await refuseContradiction(context, judged.record);
  await planInOrder(context, judged.record, { stage, ...options });
}
