import {
  type Deployment,
  type DeploymentRecord,
  shardEntry,
} from '../../domain/deployment/record.ts';
import { isBefore, isReturnable } from '../../domain/deployment/stages-and-steps.ts';
import { mayBeStopped } from '../../domain/drain/shard-intake.ts';
import type { Shard } from '../../domain/shard.ts';
import { nothingToRollBack } from '../../errors/takeover-errors.ts';
import { type StageContext, wordsOf } from '../../stages/context/context.ts';
import { withGuardEvent } from '../../stages/context/guard-event.ts';
import { allSettledOrThrow } from '../../stages/context/parallel.ts';
import type { StageResult } from '../../stages/context/result.ts';
import { alreadyTaken } from '../../stages/context/result.ts';
import { requireNoHold } from '../../stages/effects/effect-gate.ts';
import { carryOutTakeover, type TakeoverPlan } from '../../stages/run/rollback-or-activation.ts';
import { finishLines } from '../../stages/service/recovery-by-force.ts';
import { requireOwnRegistration } from '../../stages/service/registration-ownership.ts';
import { findOldProcess } from '../../stages/service/rollback-target.ts';

/**
 * Rolls back to the shard that the deployment retires.
 * @param reason short reason of the operator
 */
export async function rollback(context: StageContext, reason?: string): Promise<StageResult> {
  const plan = await judgeRollback(context);
  if (plan.kind !== 'begin') return carryOutTakeover(context, plan);
  const why = `${context.run.by} rolled back${reason === undefined ? '' : `: ${reason}`}`;
  return carryOutTakeover(context, { ...plan, takeover: { ...plan.takeover, why } });
}

/**
 * Plans a rollback. Called with reads alone before the lock, when only a refusal counts, and again
 * under the lock.
 */
export async function judgeRollback(context: StageContext): Promise<TakeoverPlan> {
  const [, record] = await allSettledOrThrow(
    () => requireNoHold(context),
    () => context.journal.read(),
  );
  const { deployment } = record ?? {};
  if (deployment?.kind === 'rollback' && deployment.phase === 'promoting')
    return { kind: 'finish' };
  // The command or its job was repeated. A second rollback would switch the status again.
  if (deployment?.kind === 'rollback') return alreadyTaken(context, deployment);
  if (record === undefined || deployment?.retiring === undefined) {
    const reason = 'no recorded deployment has a shard to roll back to';
    throw await refuse(context, reason, deployment?.phase);
  }
  const { retiring } = deployment;
  const runs = await withGuardEvent(context, 'way_back', () =>
    findProcess(context, record, retiring),
  );
  const takeover = {
    record,
    kind: 'rollback',
    candidate: deployment.retiring,
    retiring: deployment.candidate,
    isStartedAgain: !runs,
  } as const;
  return { kind: 'begin', takeover };
}

/**
 * Returns whether the target shard's process still runs. A process that has ended on its host is
 * started and verified before it takes customer jobs. Without a host, the shard must be rebuilt.
 */
async function findProcess(
  context: StageContext,
  record: DeploymentRecord,
  shard: Shard,
): Promise<boolean> {
  const { phase } = record.deployment;
  const refusal = (reason: string) => refuse(context, reason, phase);
  if (!isReturnable(phase)) throw await refusal(`the deployment is in phase ${phase}`);
  const { registration, removal } = shardEntry(record, shard);
  if (removal !== undefined) {
    throw await refusal(
      `the runners of ${shard} are being removed, and a removed runner cannot be restored`,
    );
  }
  const registered =
    registration === undefined ? undefined : await context.ports.registry.find(registration);
  if (registered?.kind === 'absent') {
    throw await refusal(
      `${wordsOf(context).registration} ${registration} of ${shard} no longer exists, so ${shard} gets no jobs`,
    );
  }
  // The runner would be put into quarantine, and must not be the other shard's, which accepts jobs.
  if (registered !== undefined) await requireOwnRegistration(context, shard, registered.value);
  const found = await findOldProcess(context, shard);
  if (found.kind === 'unknown') {
    if (!mayBeStopped(record.deployment)) return true;
    throw await refusal(
      `${shard} is drained, and no source reports whether its process runs: ${found.reason}`,
    );
  }
  if (found.kind !== 'none') return found.kind === 'runs';
  throw await refusal(found.reason);
}

async function refuse(
  context: StageContext,
  reason: string,
  phase: Deployment['phase'] | undefined,
) {
  const goes = phase === undefined ? 'deploy' : await commandAt(context, phase);
  return nothingToRollBack(context.settings.runnerName, reason, goes);
}

async function commandAt(
  context: StageContext,
  phase: Deployment['phase'],
): Promise<Parameters<typeof nothingToRollBack>[2]> {
  if (phase === 'done') return 'deploy';
  return isBefore(phase, 'promoted') ? 'recover' : { finish: await finishLines(context) };
}
