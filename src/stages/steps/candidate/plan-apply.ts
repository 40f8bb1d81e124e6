import type { TakenName } from '../../../domain/plan/plan-adoption.ts';
import type { Shard } from '../../../domain/shard.ts';
import type {
  ApplyCounts,
  InfrastructureEvent,
  InfrastructurePlan,
} from '../../../ports/infrastructure.ts';
import type { StageContext } from '../../context/context.ts';
import { withGuardEvent } from '../../context/guard-event.ts';
import { buildMs, requireLastingCredentials } from '../../effects/deadline.ts';
import { irreversible } from '../../service/irreversible.ts';
import { findLostResources } from './apply-interruption.ts';

export interface ApplyOrder {
  readonly shard: Shard;
  readonly plan: InfrastructurePlan;
  /** An earlier apply was interrupted, so its resources may be in no state. */
  readonly wasCutOff: boolean;
}

/**
 * Carries out a plan. If a name is taken that an interrupted apply may have used, it plans again
 * with an import. The plan guard refuses resources without the shard's tags.
 */
export async function carryOutPlan(context: StageContext, order: ApplyOrder): Promise<ApplyCounts> {
  const { ports, settings, log } = context;
  const { shard, wasCutOff } = order;
  const adopt: TakenName[] = [];
  let { plan } = order;
  for (;;) {
    const end = await act(context, shard, plan);
    if (end.kind === 'done') return end.counts;
    const taken = end.names.filter(({ address }) => adopt.every((one) => one.address !== address));
    // A resource that is already imported and still conflicts was identified wrongly.
    const found = wasCutOff ? await findLostResources(context, shard, taken) : [];
    if (found.length === 0) throw end.error;
    adopt.push(...found);
    const place = { runnerName: settings.runnerName, shard };
    plan = await withGuardEvent(context, 'plan', () => ports.infrastructure.plan(place, { adopt }));
    for (const { address, id } of found)
      log.act(`Adopting ${address}: ${id} has the tags of ${shard} and is in no Terraform state.`);
  }
}

type End = Exclude<InfrastructureEvent, { kind: 'progress' }>;

async function act(context: StageContext, shard: Shard, plan: InfrastructurePlan): Promise<End> {
  const { settings, log } = context;
  requireLastingCredentials(context, buildMs);
  const { infrastructure } = await irreversible(context, { act: 'change', shard });
  const place = { runnerName: settings.runnerName, shard };
  return withGuardEvent(context, 'plan', async () => {
    for await (const event of infrastructure.apply(place, plan)) {
      if (event.kind !== 'progress') return event;
      log.wait(event.text);
    }
    throw new Error('the infrastructure program ended without a result');
  });
}
