import {
  isBefore,
  isRetirement,
  type StageName,
} from '../../domain/deployment/stages-and-steps.ts';
import { cannotAcceptJobs, mayTakeJobs } from '../../domain/health/service-answers.ts';
import { otherShard } from '../../domain/shard.ts';
import { noShardAcceptsJobs, noShardAcceptsJobsAtRest } from '../../errors/recovery-errors.ts';
import type { StageContext } from '../context/context.ts';
import { withGuardEvent } from '../context/guard-event.ts';
import { checkServiceOnce } from '../observe/shard/service-watch.ts';
import { confirmBadResult } from '../service/service-proof.ts';

/**
 * Fails a retirement stage that comes before the promotion if no shard accepts jobs. The stage has
 * nothing to do while the old shard accepts jobs or its state is unknown. If the old shard is
 * disproven, a result of "nothing to do" would hide the outage for hours.
 */
export async function requireAcceptingShard(
  context: StageContext,
  stage: StageName,
): Promise<void> {
  const { journal, settings } = context;
  const { phase, candidate, retiring } = journal.current().deployment;
  if (retiring === undefined || !isRetirement(stage) || !isBefore(phase, 'promoted')) return;
  // A restarting process is gone for seconds, and this error may wake an operator.
  const active = await confirmBadResult(context, () => checkServiceOnce(context, retiring));
  if (active.kind !== 'disproven') return;
  const built = await checkServiceOnce(context, candidate);
  // With production tags, the candidate may accept jobs before the status names it.
  if (mayTakeJobs(built)) return;
  await withGuardEvent(context, 'active_shard', () => {
    const isProven = phase === 'healthy' && built.kind !== 'disproven';
    const facts = { stage, active: retiring, candidate, phase, reason: active.reason, isProven };
    throw noShardAcceptsJobs({ runner: settings.runnerName, ...facts });
  });
}

/** Fails a run for a finished deployment if no shard accepts jobs, to report the outage. */
export async function requireAcceptingShardAtRest(context: StageContext): Promise<void> {
  const { journal, settings } = context;
  const { candidate: active } = journal.current().deployment;
  const other = otherShard(settings.shards, active);
  const seen = await confirmBadResult(context, () => checkServiceOnce(context, active));
  if (mayTakeJobs(seen) || mayTakeJobs(await checkServiceOnce(context, other))) return;
  await withGuardEvent(context, 'active_shard', () => {
    const facts = { active, other, reason: seen.reason, takesNoNewJob: !cannotAcceptJobs(seen) };
    throw noShardAcceptsJobsAtRest({ runner: settings.runnerName, ...facts });
  });
}
