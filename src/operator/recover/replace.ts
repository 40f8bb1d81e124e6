import type { Shard } from '../../domain/shard.ts';
import { cannotRecover } from '../../errors/recovery-errors.ts';
import type { StageContext } from '../../stages/context/context.ts';
import { withGuardEvent } from '../../stages/context/guard-event.ts';
import { cancelEveryCanary } from '../../stages/effects/cancel-canary.ts';
import { gate } from '../../stages/effects/effect-gate.ts';
import { applyPlan } from '../../stages/steps/candidate/apply.ts';

/** Address of the manager in the reference module and in stacks derived from it. */
const managerAddress = 'module.runner_manager.module.ec2[0].aws_instance.runner_manager';

/** Rebuilds the given addresses only, which the plan guard ensures. */
export async function replaceManager(
  context: StageContext,
  shard: Shard,
  addresses: readonly string[],
): Promise<void> {
  const { ports, settings, log } = context;
  const replace = addresses.length === 0 ? [managerAddress] : addresses;
  await gate(context, shard);
  await cancelEveryCanary(context);
  const plan = await withGuardEvent(context, 'plan', () =>
    ports.infrastructure.plan({ runnerName: settings.runnerName, shard }, { replace }),
  );
  if (plan.kind === 'empty') {
    throw cannotRecover({
      runner: settings.runnerName,
      method: 'replace',
      reason: `the plan replaces nothing: ${plan.summary}`,
      next: [`List the existing addresses: terraform state list`],
    });
  }
  log.act(`Replacing ${replace.join(', ')} of ${shard}: ${plan.summary}.`);
  await applyPlan(context, shard, plan);
}
