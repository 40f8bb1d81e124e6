import {
  isBefore,
  isRetirement,
  type StageName,
} from '../../domain/deployment/stages-and-steps.ts';
import { cannotServe, mayTakeJobs } from '../../domain/health/service-answers.ts';
import { otherShard } from '../../domain/shard.ts';
import { noShardServes, noShardServesAtRest } from '../../errors/recovery-errors.ts';
import type { StageContext } from '../context/context.ts';
import { withGuardEvent } from '../context/guard-event.ts';
import { checkServiceOnce } from '../observe/shard/service-watch.ts';
import { confirmBadResult } from '../service/service-proof.ts';

/**
 * What comes too early has nothing to do as long as the old shard goes on serving, or nobody knows. Where
 * it is proven that it cannot, "nothing to do" would be the last word that anybody hears for hours.
 */
export async function failIfNoShardServes(context: StageContext, stage: StageName): Promise<void> {
  const { journal, settings } = context;
  const { phase, candidate, retiring } = journal.current().deployment;
  if (retiring === undefined || !isRetirement(stage) || !isBefore(phase, 'promoted')) return;
  // A process that is being started anew is gone for seconds, and whoever reads this wakes somebody.
  const active = await confirmBadResult(context, () => checkServiceOnce(context, retiring));
  if (active.kind !== 'disproven') return;
  const built = await checkServiceOnce(context, candidate);
  // From the first production tag on the candidate may serve before the status says so.
  if (mayTakeJobs(built)) return;
  await withGuardEvent(context, 'active_shard', () => {
    const isProven = phase === 'healthy' && built.kind !== 'disproven';
    const facts = { stage, active: retiring, candidate, phase, reason: active.reason, isProven };
    throw noShardServes({ runner: settings.runnerName, ...facts });
  });
}

/** Whoever calls for help at a deployment that is done hears what is done as the last word, too. */
export async function failIfNoShardServesAtRest(context: StageContext): Promise<void> {
  const { journal, settings } = context;
  const { candidate: active } = journal.current().deployment;
  const other = otherShard(settings.shards, active);
  const seen = await confirmBadResult(context, () => checkServiceOnce(context, active));
  if (mayTakeJobs(seen) || mayTakeJobs(await checkServiceOnce(context, other))) return;
  await withGuardEvent(context, 'active_shard', () => {
    const facts = { active, other, reason: seen.reason, takesNoNewJob: !cannotServe(seen) };
    throw noShardServesAtRest({ runner: settings.runnerName, ...facts });
  });
}
